// What several screens press, tick and fill in.
import { Problem, serverNow } from './api.js';
import { confirmed, h, setAttribute, setText } from './dom.js';
import { recall, remember } from './device.js';
import { t } from './texts.js';

/** A button that waits while its work is done: it keeps place and focus, and is not pressed twice. */
export function actButton(context, label, work, kind = '') {
  const button = h('button', { class: `button ${kind}`, text: label });
  button.addEventListener('click', () => context.act(button, work));
  return button;
}

/** As `actButton`, after a question; `ask` returns it, or `null` where there is none. */
export function sureButton(context, label, ask, work, kind = 'quiet') {
  return actButton(context, label, async () => {
    const question = ask();
    if (question === null || await confirmed(question, label, t('cancel'))) await work();
  }, kind);
}

/** Something to tick. A hint describes it, and is no part of its name. */
export function chip({ id, label, hint }, isOn, change) {
  const about = hint ? `about-${id}` : null;
  const box = h('input', { type: 'checkbox', value: id, 'aria-label': about && label, 'aria-describedby': about });
  box.checked = isOn;
  box.addEventListener('change', () => change(box.checked));
  return h('label', { class: 'chip' }, box, h('span', { text: label }, hint ? h('small', { id: about, text: hint }) : null));
}

/** What is wrong with a field, for who looks and who listens. */
export function faultOf(input) {
  const node = h('p', { class: 'fault', id: `${input.id}-fault`, role: 'alert' });
  input.setAttribute('aria-describedby', node.id);
  return {
    node,
    say(text) {
      setText(node, text);
      setAttribute(input, 'aria-invalid', text !== '');
      if (!text) return;
      input.focus();
      input.select();
    },
  };
}

/** Graphemes, as the server counts them; `maxlength` would count an emoji many times. */
const longest = 20;
const graphemes = Intl.Segmenter && new Intl.Segmenter();

/** A field for this device's nickname, with a button if there is one. */
export function nicknameField(id = 'nickname', button = null) {
  const input = h('input', { id, autocomplete: 'nickname', placeholder: t('optional'), enterkeyhint: 'go' });
  input.value = recall('nickname') ?? '';
  const fault = faultOf(input);
  for (const kind of ['input', 'compositionend']) {
    input.addEventListener(kind, ({ isComposing }) => {
      const over = !isComposing && graphemes && [...graphemes.segment(input.value)][longest];
      if (over) input.value = input.value.slice(0, over.index);
    });
  }
  return {
    node: h('div', { class: 'field' }, h('label', { for: id, text: t('nickname') }),
      button ? h('div', { class: 'row' }, input, button) : input, fault.node),
    /** Does `work` with the name, `null` for none, and remembers it. Its faults are said here. */
    async use(work) {
      const name = input.value.normalize().trim();
      fault.say('');
      try {
        await work(name || null);
        remember('nickname', name);
      } catch (error) {
        const own = error.errors?.find(({ pointer }) => pointer === '/nickname');
        if (!own) throw error;
        fault.say(own.detail);
      }
    },
  };
}

/** @param options `[value, text]` each */
export function choice(id, label, options) {
  const select = h('select', { id }, ...options.map(([value, text]) => h('option', { value, text })));
  return { select, node: h('div', { class: 'field aside' }, h('label', { for: id, text: label }), select) };
}

/** Minutes. */
const deadlines = [3, 5, 10, 20];

/** When the result is revealed by itself, if at all. */
export function deadlineField() {
  const { select, node } = choice('deadline', t('automatic'), [['', t('never')], ...deadlines.map((minutes) => [minutes, t('minutes', minutes)])]);
  // Pressed again after no answer, it is the same time that is asked for.
  let at = null;
  select.addEventListener('change', () => { at = null; });
  return {
    node,
    /** Does `work` with the instant; `null` for none. */
    async use(work) {
      if (select.value) at ??= serverNow() + Number(select.value) * 60_000;
      try {
        await work(at);
        at = null;
      } catch (error) {
        // Refused: its time may be over, and the next is another.
        if (error instanceof Problem && error.status < 500) at = null;
        throw error;
      }
    },
  };
}

export function form(submit, ...children) {
  const node = h('form', { class: 'stack' }, ...children);
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  return node;
}
