// What this device remembers. Where the browser keeps nothing, it lasts as long as the page.

const memory = new Map();

export function recall(name) {
  let text = memory.get(name) ?? null;
  try {
    text = localStorage.getItem(name);
  } catch { /* Storage is switched off. */ }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    localStorage.setItem(name, text);
  } catch { /* Full, or switched off. */ }
}

export function forget(name) {
  memory.delete(name);
  try {
    localStorage.removeItem(name);
  } catch { /* Then it was not kept either. */ }
}

/** Forgets all that begins with `prefix` but `name`. */
export function forgetOthers(prefix, name) {
  let names = [...memory.keys()];
  try {
    names = names.concat(Object.keys(localStorage));
  } catch { /* See `recall`. */ }
  for (const other of names) if (other.startsWith(prefix) && other !== name) forget(other);
}

/** Letters and digits that nobody guesses: 32 bytes of the browser's secure source. */
export function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Who this device is to the server. It goes into the `Authorization` field and nowhere else. */
export function token() {
  let token = recall('token');
  if (typeof token !== 'string' || token.length < 16) {
    token = randomName();
    remember('token', token);
  }
  return token;
}
