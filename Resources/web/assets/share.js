// Hands something to others: by what the phone has for that, else by the clipboard, else for copying by hand.
import { h } from './dom.js';
import { t } from './texts.js';

export const canShare = () => typeof navigator.share === 'function';

/** @returns whether something was copied, which then has to be said. */
export async function share({ text, url }) {
  if (canShare()) {
    try {
      await navigator.share({ text, url });
      return false;
    } catch (error) {
      // Somebody has changed their mind.
      if (error.name === 'AbortError') return false;
    }
  }
  return copy(`${text}\n${url}`);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    await byHand(text);
    return false;
  }
}

/** Browsers that give no clipboard to pages without TLS still let people select. */
function byHand(text) {
  const area = h('textarea', { readonly: true, rows: 4, id: 'by-hand' });
  area.value = text;
  const dialog = h('dialog', {},
    h('label', { for: 'by-hand', text: t('copyBy') }), area,
    h('form', { method: 'dialog' }, h('button', { class: 'button', text: t('dismiss') })));
  document.body.append(dialog);
  dialog.showModal();
  area.select();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve();
    });
  });
}
