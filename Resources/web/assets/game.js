// The cards, options and vetoes, as the server has them in the language that is spoken.
import { send } from './api.js';
import { language } from './texts.js';

const games = new Map();
/** In the place of the room's id where there is none. */
const alone = 'alone';

/** The game that a room is played with, or whoever plays alone; what was asked for once is there at once. */
export function game(room = null) {
  const key = `${language()} ${room?.id ?? alone}`;
  if (!games.has(key)) {
    const asked = send('GET', room ? `/v1/rooms/${room.pin}/game` : '/v1/game', { cache: 'no-cache' });
    asked.catch(() => games.delete(key));
    games.set(key, asked);
  }
  return games.get(key);
}

/** Has the game of whoever plays alone asked for again: the catalogue may have been replaced. That of a room stays. */
export function forgetGame() {
  for (const key of games.keys()) if (key.endsWith(alone)) games.delete(key);
}

// Decoration: a card that is not here plays as well.
const faces = {
  hangover: '🥴', greasy: '🍟', health: '🥗', alcohol: '🍻', instant: '⏱️', spicy: '🌶️', rich: '✨', staple: '🍚', cuisine: '🌏',
};

export const faceOf = (card) => faces[card.id] ?? '🍽️';

/** What can be picked on a card of options, with the one that stands alone at the end. */
export const optionsOf = (card) => (card.none ? [...card.options, card.none] : card.options);

/** What is picked when one more is picked, or one less: "none of these" stands alone. */
export function picked(card, options, id, isOn) {
  if (!isOn) return options.filter((option) => option !== id);
  if (id === card.none?.id) return [id];
  return [...options.filter((option) => option !== card.none?.id && option !== id), id];
}
