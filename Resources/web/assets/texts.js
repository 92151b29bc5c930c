// What the client says, in Korean and English. All else comes from the server.
import { recall, remember } from './device.js';

/** Seconds in a unit that suits them, rounded up. */
function span(seconds, ...units) {
  const place = seconds > 5400 ? 2 : seconds > 90 ? 1 : 0;
  return [Math.ceil(seconds / 60 ** place), units[place]];
}

const many = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;

/** In the order of `spoken`. */
export const texts = {
  title: ['한상 · 오늘 뭐 먹지?', 'Hansang · What shall we eat?'],
  other: ['English', '한국어'],
  otherCode: ['en', 'ko'],
  hello: ['오늘 뭐 먹지?', 'What shall we eat?'],
  about: ['카드 몇 장이면 다 같이 먹을 메뉴 셋이 나와요. 가입은 없어요.', 'A few cards each, and your group gets three menus. No sign-up.'],
  backTo: (pin) => [`있던 방으로 돌아가기 · ${pin}`, `Back to the room · ${pin}`],
  open: ['방 열기', 'Open a room'],
  nickname: ['별명', 'Nickname'],
  optional: ['없어도 돼요', 'optional'],
  who: ['공개하는 사람', 'Who reveals'],
  anybody: ['누구나', 'Anybody here'],
  onlyHost: ['방장만', 'Only the host'],
  automatic: ['자동 공개', 'Reveal by itself'],
  never: ['안 함', 'No'],
  minutes: (n) => [`${n}분 뒤`, `after ${n} minutes`],
  join: ['PIN으로 들어가기', 'Join with a PIN'],
  enter: ['들어가기', 'Join'],
  pinWrong: ['PIN은 숫자 여섯 자리예요.', 'A PIN has six digits.'],
  solo: ['혼자 고르기', 'Just me'],
  soloAbout: ['나만을 위한 메뉴 셋', 'Three menus for one'],
  random: ['아무거나', 'Anything'],
  randomAbout: ['고민 없이 하나', 'One, without thinking'],
  again: ['다시 뽑기', 'Another one'],
  without: (names) => [`${names} 빼고 골랐어요`, `Without: ${names}`],
  roomOf: (name) => [`${name} 님의 방`, `${name}’s room`],
  room: ['한상 방', 'A Hansang room'],
  gathered: (n) => [`${n}명이 모였어요`, n === 1 ? '1 person is here' : `${n} people are here`],
  others: (n) => [`외 ${n}명`, `and ${n} more`],
  joinGo: ['들어가서 카드 고르기', 'Join and pick cards'],
  step: (n, of) => [`${of}장 중 ${n}번째`, `${n} of ${of}`],
  back: ['뒤로', 'Back'],
  like: ['좋아', 'Like'],
  dislike: ['별로', 'Dislike'],
  skip: ['건너뛰기', 'Skip'],
  next: ['다음', 'Next'],
  keys: ['← 별로 · → 좋아 · ↓ 건너뛰기', '← dislike · → like · ↓ skip'],
  many: ['여러 개 골라도 돼요', 'Pick as many as you like'],
  newCards: ['그사이 카드가 바뀌었어요. 확인하고 다시 보내 주세요.', 'The cards have changed meanwhile. Have a look and send again.'],
  vetoes: ['못 먹는 것이 있나요?', 'Anything you cannot eat?'],
  vetoesAbout: ['고른 것은 모두의 결과에서 빠져요. 누가 골랐는지는 결과에 나오지 않아요.', 'It is left out for everybody. The result does not say who said so.'],
  vetoesKept: ['지난번에 고른 대로예요.', 'As you chose last time.'],
  lastStep: ['마지막', 'Last one'],
  send: ['보내기', 'Send'],
  seeSolo: ['결과 보기', 'Show the result'],
  waiting: ['기다리는 중', 'Waiting'],
  invite: ['함께할 사람을 불러요', 'Get the others in'],
  share: ['링크 공유', 'Share the link'],
  copy: ['링크 복사', 'Copy the link'],
  copied: ['복사했어요', 'Copied'],
  copyBy: ['이것을 복사하세요', 'Copy this'],
  shareRoom: (pin) => [`한상에서 오늘 먹을 것을 골라요. PIN ${pin}`, `Help to pick today’s food on Hansang. PIN ${pin}`],
  qr: ['들어오는 QR 코드', 'QR code to join'],
  answered: (n, of) => [`${of}명 중 ${n}명이 답했어요`, `${n} of ${of} have answered`],
  done: ['답했어요', 'answered'],
  choosing: ['고르는 중', 'picking'],
  me: ['나', 'you'],
  isHost: ['방장', 'host'],
  guest: (id) => [`손님 ${id}`, `Guest ${id}`],
  play: ['내 카드 고르기', 'Pick my cards'],
  goOn: (n, of) => [`이어서 고르기 (${n}/${of})`, `Go on picking (${n}/${of})`],
  sent: ['보냈어요. 모두를 기다리는 중이에요.', 'Sent. Waiting for everybody.'],
  allSent: ['보냈어요.', 'Sent.'],
  mine: ['내 답', 'My answers'],
  redo: ['처음부터 다시 고르기', 'Start my cards over'],
  reveal: ['결과 공개', 'Reveal the result'],
  revealAll: ['모두 답했어요. 공개해 볼까요?', 'Everybody has answered. Ready?'],
  revealSome: (n) => [`아직 ${n}명이 고르는 중이에요.`, n === 1 ? 'One is still picking.' : `${n} are still picking.`],
  revealSure: (n) => [`아직 ${n}명이 답하지 않았어요. 못 먹는 것도 반영되지 않아요.`, `${n} ${n === 1 ? 'has' : 'have'} not answered yet. What they cannot eat will not count.`],
  revealNone: ['한 명이라도 답하면 공개할 수 있어요.', 'You can reveal once somebody has answered.'],
  hostReveals: ['방장이 결과를 공개해요.', 'The host reveals the result.'],
  enough: (n) => [`${n}명이 답하면 결과가 나와요.`, `The result comes when ${n} have answered.`],
  left: (time) => [`${time} 뒤 자동 공개`, `Revealed in ${time}`],
  checking: ['시간이 됐어요. 결과를 확인하는 중…', 'Time is up. Checking for the result…'],
  passed: ['시간이 됐지만 아직 답이 없어요.', 'Time is up, but nobody has answered yet.'],
  manage: ['방 관리', 'Manage the room'],
  rename: ['바꾸기', 'Change'],
  renamed: ['바꿨어요.', 'Changed.'],
  ends: (when) => [`이 방은 ${when}에 사라져요.`, `This room ends on ${when}.`],
  hand: ['방장 넘기기', 'Make host'],
  handSure: (name) => [`${name} 님에게 방장을 넘길까요?`, `Make ${name} the host?`],
  remove: ['내보내기', 'Remove'],
  removeSure: (name) => [`${name} 님을 내보낼까요? 이 방에는 다시 들어올 수 없어요.`, `Remove ${name}? They cannot come back to this room.`],
  close: ['방 닫기', 'Close the room'],
  closeSure: ['방을 닫을까요? 모든 답과 결과가 지워져요.', 'Close the room? All answers and results are deleted.'],
  leave: ['방 나가기', 'Leave the room'],
  leaveSure: ['방에서 나갈까요? 보낸 답도 지워져요.', 'Leave the room? Your answers are deleted, too.'],
  leaveResult: ['방에서 나갈까요? 나온 결과는 그대로예요.', 'Leave the room? The result stays as it is.'],
  cancel: ['취소', 'Cancel'],
  of: (what, name) => [`${name} 님 ${what}`, `${what}: ${name}`],
  result: ['오늘의 한상', 'Today’s table'],
  rank: (n) => [`${n}순위`, `No. ${n}`],
  likedBy: (n, of) => of === 1 ? ['', ''] : n === of ? ['모두에게 맞아요', 'Suits everybody'] : [`${of}명 중 ${n}명에게 맞아요`, `Suits ${n} of ${of}`],
  supporters: (n, of, label) => of === 1 ? [label, label] : [`${label} · ${of}명 중 ${n}명`, `${label} · ${n} of ${of}`],
  nextMenu: ['다음 메뉴 보기', 'Next menu'],
  allMenus: ['본 메뉴', 'Seen so far'],
  excluded: (n, names) => [`못 먹는 것${names && `(${names})`}이 있어 메뉴 ${n}개를 뺐어요.`, `${n === 1 ? '1 menu is' : `${n} menus are`} left out for what somebody cannot eat${names && ` (${names})`}.`],
  fewer: ['뺄 것이 많아 메뉴가 셋보다 적어요.', 'So much is left out that there are fewer than three.'],
  nothing: ['남은 메뉴가 없어요.', 'No menu is left.'],
  decide: ['이걸로 결정', 'Let’s have this'],
  decideSure: (name) => [`${name}, 이걸로 결정할까요? 바꿀 수 없어요.`, `Have ${name}? This cannot be changed.`],
  decided: ['오늘은 이거예요', 'This is it'],
  hostDecides: ['방장이 메뉴를 정해요.', 'The host decides.'],
  shareResult: ['결과 공유', 'Share the result'],
  newRound: ['새로 한 판', 'Play again'],
  roundSure: ['새로 한 판 할까요? 결과는 화면에서 사라져요.', 'Play again? The result will be gone.'],
  soloAgain: ['다시 고르기', 'Pick again'],
  basis: (n) => [`${n}명의 답으로 골랐어요.`, n === 1 ? 'From one person’s answers.' : `From the answers of ${n} people.`],
  missed: ['내 답과 못 먹는 것은 반영되지 않았어요.', 'Yours, and what you cannot eat, did not count.'],
  kept: ['고르던 답은 다음 판까지 남아 있어요.', 'The cards you picked are kept for the next round.'],
  joinNext: ['다음 판에 함께하기', 'Join the next round'],
  joined: ['다음 판에 함께해요.', 'You are in for the next round.'],
  shared: (names) => [`오늘의 한상: ${names}`, `Today’s table: ${names}`],
  sharedDecided: (name) => [`오늘은 ${name}!`, `Today it is ${name}!`],
  gone: ['그런 방이 없어요', 'There is no such room'],
  goneAbout: ['PIN이 다르거나, 방이 끝났어요.', 'The PIN is another one, or the room is over.'],
  over: ['방이 끝났어요', 'The room is over'],
  overAbout: ['방장이 닫았거나, 시간이 다 됐어요.', 'The host has closed it, or its time was up.'],
  removed: ['이 방에는 다시 들어올 수 없어요', 'You cannot come back to this room'],
  removedAbout: ['방장이 내보냈어요.', 'The host has removed you.'],
  startOver: ['새로 시작하기', 'Start anew'],
  notNow: ['지금은 안 돼요', 'Not just now'],
  tooMany: ['요청이 너무 많아요.', 'That is too many tries.'],
  failed: ['연결할 수 없어요', 'No connection'],
  failedAbout: ['인터넷 연결을 확인하고 다시 시도해 주세요.', 'Check your network and try again.'],
  retry: ['다시 시도', 'Try again'],
  loading: ['불러오는 중…', 'Loading…'],
  stale: ['마지막으로 확인한 모습이에요.', 'This is the last known state.'],
  wait: (n) => [`${span(n, '초', '분', '시간').join('')} 뒤에 다시 해 주세요.`, `Try again in ${many(...span(n, 'second', 'minute', 'hour'))}.`],
  dismiss: ['닫기', 'Close'],
  newsCame: (name) => [`${name} 님이 들어왔어요.`, `${name} has joined.`],
  newsWent: (name) => [`${name} 님이 나갔어요.`, `${name} has left.`],
  newsHost: ['이제 방장이에요.', 'You are the host now.'],
  newsOut: ['이 방 멤버가 아니에요.', 'You are not in this room any more.'],
  newsRound: ['새 판이 시작됐어요.', 'A new round has begun.'],
  newsRevealed: ['결과가 나왔어요.', 'The result is there.'],
  newsDecided: ['메뉴가 정해졌어요.', 'The menu is decided.'],
};

const spoken = ['ko', 'en'];
let chosen = recall('language');
if (!spoken.includes(chosen)) chosen = navigator.languages.find((name) => /^(ko|en)\b/.test(name))?.slice(0, 2) ?? 'ko';

/** The one that was switched to, else the first of the browser's that there is. */
export const language = () => chosen;

export function speak(name) {
  chosen = name;
  remember('language', name);
}

export function t(name, ...values) {
  const text = texts[name];
  return (typeof text === 'function' ? text(...values) : text)[spoken.indexOf(chosen)];
}

export const nameOf = (member) => member.nickname ?? t('guest', member.id.replace(/^m_/, ''));
