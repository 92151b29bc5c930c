// The room that this device was in last, so that the first page leads back, and who it is there.
import { serverNow } from './api.js';
import { forget, recall, remember } from './device.js';

/** `{pin, until}`, in epoch milliseconds; `null` for none. */
export function ownRoom() {
  const room = recall('room');
  return room?.until > serverNow() ? room : null;
}

export const keepRoom = ({ pin, expiresAt }) => remember('room', { pin, until: expiresAt });

export function forgetRoom(pin) {
  if (recall('room')?.pin === pin) forget('room');
}

export const keepName = ({ id }, nickname) => remember('named', { id, nickname });

/** The caller among the members where it is beyond doubt: the host, or by a nickname from here that nobody else has. */
export function ownMember({ id, isHost, isMember, members }) {
  const named = recall('named');
  const isOwn = (member) => member.isHost === isHost && (isHost || (named?.id === id && member.nickname === named.nickname));
  const own = isMember ? members.filter(isOwn) : [];
  return own.length === 1 ? own[0] : null;
}
