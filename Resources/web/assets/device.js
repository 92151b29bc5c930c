// What this device remembers; what the browser does not keep, as long as the page.

const memory = new Map();

export function recall(name) {
  try {
    return JSON.parse(memory.get(name) ?? localStorage.getItem(name));
  } catch {
    // Storage is switched off, or holds what is not ours.
    return null;
  }
}

export function remember(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(name, text);
    memory.delete(name);
  } catch {
    // Full, or switched off.
    memory.set(name, text);
  }
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

/** 32 bytes of the browser's secure source. */
export function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Who this device is. It goes into `Authorization` and nowhere else. */
export function token() {
  let token = recall('token');
  if (typeof token !== 'string' || token.length < 16) {
    token = randomName();
    remember('token', token);
  }
  return token;
}
