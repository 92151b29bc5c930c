// Elements without markup: whatever somebody has typed stays text.

/** An element. `text` is its text, `on…` listens, `null` and `false` leave an attribute out. */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') node.textContent = value;
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, '');
    else if ((value ?? false) !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => (child ?? null) !== null));
  return node;
}

/** What stays the same is not drawn again, and not read out again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** `null` and `false` take it away. */
export function setAttribute(node, name, value) {
  if (value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

export function show(node, isShown) {
  if (node.hidden === isShown) node.hidden = !isShown;
}

/** Makes the children of a list those of `items`: what stays, by its key, keeps its element and the focus. */
export function keyed(list, items, key, make, update) {
  const known = new Map([...list.children].map((child) => [child.dataset.key, child]));
  let place = list.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    let child = known.get(name);
    known.delete(name);
    if (!child) {
      child = make(item);
      child.dataset.key = name;
    }
    if (child === place) place = place.nextElementSibling;
    else list.insertBefore(child, place);
    update(child, item);
  }
  for (const child of known.values()) child.remove();
}

export function focusOn(node) {
  node.setAttribute('tabindex', '-1');
  node.focus({ preventScroll: true });
}

/** Asks; resolves to whether the answer is yes. */
export function confirmed(question, yes, no) {
  return new Promise((resolve) => {
    const dialog = h('dialog', { 'aria-labelledby': 'question' },
      h('p', { id: 'question', text: question }),
      h('form', { method: 'dialog', class: 'row' },
        h('button', { class: 'button', value: '', text: no }),
        h('button', { class: 'button danger', value: 'yes', text: yes })));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
