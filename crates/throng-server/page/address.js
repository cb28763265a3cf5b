/** Deep links: what the part of the address after # asks for, and keeping it up to date. */

/** `{ scenario, planner, compare, seed, units, world }` as far as given. */
export function wanted() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const number = (name) => (fields.has(name) && Number.isFinite(Number(fields.get(name))) ? Number(fields.get(name)) : undefined);
  return {
    scenario: fields.get("scenario") ?? undefined, planner: fields.get("planner") ?? undefined, world: fields.get("world") ?? undefined,
    compare: fields.get("compare")?.split(",").slice(0, 2), seed: number("seed"), units: number("units"),
  };
}

/** Writes the address without a new entry in the browser's history. */
export function remember(fields) {
  const parts = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const hash = parts.map(([name, value]) => `${name}=${value}`).join("&");
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}
