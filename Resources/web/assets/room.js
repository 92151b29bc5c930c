// What a client may know of a room.

/** Whether a snapshot replaces the one that is known: of the same room, and newer, or as new and looked at later. */
export function supersedes(next, known) {
  if (!known) return true;
  if (next.id !== known.id) return false;
  return next.sequence > known.sequence || (next.sequence === known.sequence && next.serverTime > known.serverTime);
}

/** Milliseconds for which a snapshot may be taken for the present. */
export function freshness(room) {
  return Math.max(0, room.staleAt - room.serverTime);
}

/** `step` is where in the room somebody wants to be. */
export function screenOf(room, step) {
  if (room.phase !== 'open') return 'result';
  if (!room.isMember) return 'join';
  return step === 'play' && !room.hasSubmitted ? 'play' : 'lobby';
}

const isOver = (room) => room.deadlineAt !== null && room.deadlineAt <= room.serverTime;

/**
 * A deadline, `elapsed` milliseconds after the snapshot came: `null` without one, else the milliseconds that are left; `'checking'` when
 * none are, for only a snapshot can say more; and `'passed'` when one does, until the first late answer.
 */
export function deadline(room, elapsed) {
  if (room.deadlineAt === null || !room.revealWhen.deadline || room.phase !== 'open') return null;
  if (isOver(room)) return room.submissionCount === 0 ? 'passed' : null;
  const left = room.deadlineAt - room.serverTime - elapsed;
  return left > 0 ? left : 'checking';
}

/** Whether the host may reveal: also where it was left to a deadline that is over or not of this round. */
export const isForHost = (room) => room.revealWhen.host || (room.revealWhen.deadline && (room.deadlineAt === null || isOver(room)));

export function mayReveal(room) {
  return (room.isHost && isForHost(room)) || (room.isMember && room.revealWhen.anyMember);
}

/** What has happened from one snapshot to the next: `[kind, …]` each. */
export function news(before, after) {
  if (!before) return [];
  if (after.round !== before.round) return [['round']];
  const told = [];
  const known = new Set(before.members.map((member) => member.id));
  const here = new Set(after.members.map((member) => member.id));
  for (const member of after.members) if (!known.has(member.id)) told.push(['came', member]);
  for (const member of before.members) if (!here.has(member.id)) told.push(['went', member]);
  if (after.isHost && !before.isHost) told.push(['host']);
  if (!after.isMember && before.isMember) told.push(['out']);
  if (after.phase !== before.phase) told.push([after.phase]);
  else if (after.submissionCount !== before.submissionCount) told.push(['answered', after]);
  return told;
}

/** The PIN in what was typed or pasted, a link or digits with anything between; `null` for none. */
export function pinIn(text) {
  const digits = (/\/r\/([0-9]{6,9})(?![0-9])/.exec(text)?.[1] ?? text.normalize('NFKC')).replace(/[^0-9]/g, '');
  return digits.length >= 6 && digits.length <= 9 ? digits : null;
}

/** The PIN in a path; what is none stays as it is, and names no room. */
export function pinOf(segment) {
  try {
    return pinIn(decodeURIComponent(segment)) ?? segment;
  } catch {
    return segment;
  }
}

export function spoken(pin) {
  return pin.replace(/(...)(?=.)/g, '$1 ');
}
