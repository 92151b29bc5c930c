// Playing alone. The device keeps the result.
import { send } from './api.js';
import { recall, remember } from './device.js';
import { h } from './dom.js';
import { forgetGame, game } from './game.js';
import { playScreen } from './play.js';
import { resultScreen } from './result.js';
import { language, t } from './texts.js';

export async function soloCards(context) {
  return playScreen(context, {
    game: await game(), draft: 'draft:solo', label: t('seeSolo'), leave: () => context.go('/'),
    send: async (sheet) => {
      const spoken = language();
      remember('solo', { sheet, result: await send('POST', '/v1/solo', { body: sheet, isStored: false }), language: spoken });
      remember('seen:solo', 0);
      context.go('/#solo-result', true);
    },
    renew: async () => {
      forgetGame();
      await context.again();
    },
  });
}

export const hasPlayedAlone = () => recall('solo') !== null;

export async function soloResult(context) {
  const [{ vetoes }, result] = await Promise.all([game(), translated(recall('solo'))]);
  const link = h('a', { class: 'button', href: '/#solo', text: t('soloAgain') });
  return resultScreen(context, {
    view: () => ({ result, decision: null, vetoes, isHost: true }), place: 'seen:solo', url: location.origin, decide: null, last: [link],
  });
}

/**
 * The result in the language that is spoken now. The server has not kept it, and played anew it may be another: what the menus are
 * called is asked, and why they were chosen is left out.
 */
async function translated({ result, language: spoken }) {
  if (spoken === language()) return result;
  try {
    const inWords = async (menu) => ({ ...menu, name: (await send('GET', `/v1/menus/${menu.id}`)).name, keywords: [] });
    return { ...result, menus: await Promise.all(result.menus.map(inWords)) };
  } catch {
    // Better as it was said than not at all.
    return result;
  }
}
