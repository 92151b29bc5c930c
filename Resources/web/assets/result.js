// The menus, one after another, and what became of them; in a room and alone.
import { actButton, sureButton } from './controls.js';
import { h, focusOn, setAttribute, setText, show } from './dom.js';
import { recall, remember } from './device.js';
import { share } from './share.js';
import { t } from './texts.js';

/**
 * @param view `{result, decision, vetoes, isHost}` now; `result` is `null` until there is one
 * @param place the name under which is kept how many menus were seen
 * @param decide `null` where nothing is decided
 * @param missed what is said to who is not in it
 */
export function resultScreen(context, { view, place, url, decide, last, missed = null }) {
  const heading = h('h1');
  const basis = h('p', { class: 'small' });
  const picture = h('img', { alt: '', width: 240, height: 240 });
  const rank = h('p', { class: 'rank' });
  const name = h('h2');
  const liked = h('p', { class: 'liked' });
  const keywords = h('ul', { class: 'keywords' });
  const menuPart = h('article', { class: 'menu' }, picture, h('div', { class: 'stack' }, rank, name, liked, keywords));
  const next = h('button', { class: 'button', text: t('nextMenu'), onclick: () => turn(at + 1) });
  const decideButton = decide
    ? sureButton(context, t('decide'), () => t('decideSure', shown().name), () => decide(shown().id), 'primary') : null;
  const waiting = h('p', { class: 'small', text: t('hostDecides') });
  const seen = h('div', { class: 'seen', role: 'group', 'aria-label': t('allMenus') });
  const ruledOut = h('p', { class: 'small' });
  const shareButton = actButton(context, t('shareResult'), async () => {
    const { result, decision } = view();
    const decided = result.menus.find((menu) => menu.id === decision);
    const text = decided ? t('sharedDecided', decided.name) : t('shared', result.menus.map((menu) => `${menu.rank}. ${menu.name}`).join(', '));
    if (await share({ text, url })) context.say(t('copied'));
  });
  const loading = h('p', { class: 'lead', text: t('loading') });
  const body = h('div', { class: 'stack', hidden: true }, menuPart,
    h('div', { class: 'answers' }, decideButton, next), seen, decide ? waiting : null, ruledOut, h('div', { class: 'row wrap' }, shareButton, ...last));
  const node = h('section', { class: 'result' }, h('div', { class: 'hero' }, heading, basis, missed), loading, body);

  // How far somebody has looked, and at what.
  const kept = recall(place);
  let furthest = Number.isInteger(kept) ? kept : 0;
  let at = furthest;
  let decidedBefore = null;
  const shown = () => view().result.menus[at];

  function turn(to) {
    at = to;
    furthest = Math.max(furthest, at);
    remember(place, furthest);
    update();
    focusOn(name);
  }

  function update() {
    const { result, decision, isHost } = view();
    show(loading, !result);
    show(body, Boolean(result));
    setText(heading, decision ? t('decided') : t('result'));
    setText(basis, result && result.playerCount ? t('basis', result.playerCount) : '');
    if (!result) return;
    if (decision && decision !== decidedBefore) at = Math.max(0, result.menus.findIndex((menu) => menu.id === decision));
    decidedBefore = decision;
    const count = result.menus.length;
    furthest = decision ? count - 1 : Math.min(furthest, count - 1);
    at = Math.max(0, Math.min(at, count - 1));
    show(menuPart, count > 0);
    if (count > 0) draw(result, decision);
    drawSeen(result, decision);
    show(next, !decision && at < count - 1 && at === furthest);
    show(rank, !decision);
    if (decideButton) show(decideButton, isHost && !decision && count > 0);
    show(waiting, !isHost && !decision);
    setText(ruledOut, reasons(result));
  }

  function draw(result, decision) {
    const menu = shown();
    setAttribute(picture, 'src', menu.imageURL);
    setAttribute(menuPart, 'class', menu.id === decision ? 'menu decided' : 'menu');
    setText(rank, t('rank', menu.rank));
    setText(name, menu.name);
    setText(liked, t('likedBy', menu.likedBy, result.playerCount));
    const lines = menu.keywords.map((keyword) => t('supporters', keyword.supporters, result.playerCount, keyword.label));
    if (lines.join() !== [...keywords.children].map((entry) => entry.textContent).join()) {
      keywords.replaceChildren(...lines.map((text) => h('li', { text })));
    }
    show(keywords, lines.length > 0);
  }

  function drawSeen(result, decision) {
    const menus = result.menus.slice(0, furthest + 1);
    const names = menus.map((menu) => `${menu.rank}. ${menu.name}`);
    if (names.join() !== [...seen.children].map((button) => button.textContent).join()) {
      seen.replaceChildren(...names.map((text, place) => h('button', { class: 'button quiet', text, onclick: () => turn(place) })));
    }
    [...seen.children].forEach((button, place) => {
      setAttribute(button, 'aria-current', place === at ? 'true' : null);
      setAttribute(button, 'class', menus[place].id === decision ? 'button quiet chosen' : 'button quiet');
    });
    show(seen, menus.length > 1);
  }

  function reasons({ excluded, reason, menus }) {
    const names = excluded.vetoes?.map((id) => view().vetoes.find((veto) => veto.id === id)?.label ?? id);
    const parts = names && excluded.menus > 0 ? [t('excluded', excluded.menus, names.join(', '))] : [];
    if (reason) parts.push(menus.length ? t('fewer') : t('nothing'));
    return parts.join(' ');
  }

  return { node, title: t('result'), update };
}
