// A card that follows the finger, and far enough to a side is an answer.

/** Pixels from which on it is a swipe, and from which on it counts. */
const slack = 12;
const enough = 80;

/** @param isOn whether the card can be swiped now; `left` and `right` are told. */
export function swipe(card, { isOn, left, right }) {
  let start = null;
  let way = 0;

  card.addEventListener('pointerdown', (event) => {
    if (isOn() && event.isPrimary && event.button === 0) start = event;
  });
  card.addEventListener('pointermove', (event) => {
    if (!start || event.pointerId !== start.pointerId) return;
    way = event.clientX - start.clientX;
    if (Math.abs(way) > slack && !card.hasPointerCapture(event.pointerId)) card.setPointerCapture(event.pointerId);
    if (Math.abs(way) <= slack) way = 0;
    card.style.transform = way ? `translateX(${way}px) rotate(${way / 40}deg)` : '';
    card.dataset.way = Math.abs(way) < enough ? '' : way > 0 ? 'like' : 'dislike';
  });
  const end = (isAnswer) => () => {
    if (!start) return;
    start = null;
    card.style.transform = '';
    card.dataset.way = '';
    const gone = way;
    way = 0;
    if (!isAnswer || Math.abs(gone) < enough) return;
    if (gone > 0) right();
    else left();
  };
  card.addEventListener('pointerup', end(true));
  card.addEventListener('pointercancel', end(false));
}
