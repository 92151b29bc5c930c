// Hands something to others: by the phone's way, else by the clipboard, else by hand.
import { h } from './dom.js';
import { t } from './texts.js';

export const canShare = () => typeof navigator.share === 'function';

/** @returns whether it was copied, which has to be said */
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

/** Without TLS there is no clipboard, and people can still select. */
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
