// The room that this device was in last, so that the first page leads back while there is one.
import { serverNow } from './api.js';
import { forget, recall, remember } from './device.js';

/** `{pin, until}`, the latter in epoch milliseconds; `null` where there is none any more. */
export function ownRoom() {
  const room = recall('room');
  return room?.until > serverNow() ? room : null;
}

export const keepRoom = ({ pin, expiresAt }) => remember('room', { pin, until: expiresAt });

/** Forgets the room of this PIN, and no other. */
export function forgetRoom(pin) {
  if (recall('room')?.pin === pin) forget('room');
}
