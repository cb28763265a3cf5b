/** Calls of the HTTP interface. A refusal becomes an Error with the server's own message. */

const token = new URLSearchParams(location.search).get("token");

async function call(method, path, body, type = "application/json") {
  const headers = body === undefined ? {} : { "content-type": type };
  if (token) headers.authorization = `Bearer ${token}`;
  const response = await fetch(path, { method, headers, body, keepalive: method === "DELETE" });
  if (!response.ok) throw new Error(await refusal(response));
  return response;
}

async function refusal(response) {
  const text = await response.text();
  try {
    const body = JSON.parse(text);
    return body.message ?? body.error?.message ?? body.error ?? text;
  } catch {
    return text || `the server answered ${response.status}`;
  }
}

const world = (id) => `/v1/worlds/${encodeURIComponent(id)}`;

export const scenarios = async () => (await call("GET", "/v1/scenarios")).json();
export const worlds = async () => (await call("GET", "/v1/worlds")).json();
export const createWorld = async (fields) => (await call("POST", "/v1/worlds", JSON.stringify(fields))).json();
export const deleteWorld = (id) => call("DELETE", world(id));
export const snapshot = async (id) => (await call("GET", `${world(id)}/snapshot`)).blob();
export const replay = async (id) => (await call("GET", `${world(id)}/replay`)).blob();
export const restore = (id, bytes) => call("POST", `${world(id)}/restore`, bytes, "application/octet-stream");
/** The messages of a replay, as its viewers would have been sent them. */
export const replayMessages = async (bytes) => (await call("POST", "/v1/replays", bytes, "application/octet-stream")).arrayBuffer();
/** A plan with its map as the referee sees it: `{ plan, map, world }` as text. */
export const recording = async (fields) => (await call("POST", "/v1/recordings", JSON.stringify(fields))).json();
