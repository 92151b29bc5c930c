// The cards, options and vetoes, in the language that is spoken.
import { send } from './api.js';
import { language } from './texts.js';

const games = new Map();
const alone = 'alone';

/** The game of a room, or of whoever plays alone. It is asked for once. */
export function game(room = null) {
  const key = `${language()} ${room?.id ?? alone}`;
  if (!games.has(key)) {
    const asked = send('GET', room ? `/v1/rooms/${room.pin}/game` : '/v1/game', { cache: 'no-cache' });
    asked.catch(() => games.delete(key));
    games.set(key, asked);
  }
  return games.get(key);
}

/** The catalogue may be another by now; a room keeps its own. */
export function forgetGame() {
  for (const key of games.keys()) if (key.endsWith(alone)) games.delete(key);
}

const faces = {
  hangover: '🥴', greasy: '🍟', health: '🥗', alcohol: '🍻', instant: '⏱️', spicy: '🌶️', rich: '✨', staple: '🍚', cuisine: '🌏',
};

export const faceOf = (card) => faces[card.id] ?? '🍽️';

export const optionsOf = (card) => (card.none ? [...card.options, card.none] : card.options);

/** What is picked after one more, or one less: "none of these" stands alone. */
export function picked(card, options, id, isOn) {
  if (!isOn) return options.filter((option) => option !== id);
  if (id === card.none?.id) return [id];
  return [...options.filter((option) => option !== card.none?.id && option !== id), id];
}
