/** Light and dark: the system's choice until the user makes one, which is remembered. */
const KEY = "throng.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function stored() {
  try { return localStorage.getItem(KEY); } catch { return null; }
}

export function currentTheme() {
  return document.documentElement.dataset.theme;
}

/** Applies the theme and calls `changed` now and whenever it changes. */
export function startTheme(changed) {
  const apply = () => {
    document.documentElement.dataset.theme = stored() ?? (system.matches ? "dark" : "light");
    changed(currentTheme());
  };
  system.addEventListener("change", apply);
  apply();
  return function toggle() {
    const next = currentTheme() === "dark" ? "light" : "dark";
    try { localStorage.setItem(KEY, next); } catch { /* private window: the choice lasts for this page */ }
    document.documentElement.dataset.theme = next;
    changed(next);
  };
}
