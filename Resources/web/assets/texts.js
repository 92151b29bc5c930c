// What the client says, in Korean and English. What cards, menus and problems say comes from the server.
import { recall, remember } from './device.js';

/** So many seconds in the unit that suits them, rounded up. */
function span(seconds, ...units) {
  const place = seconds > 5400 ? 2 : seconds > 90 ? 1 : 0;
  return [Math.ceil(seconds / 60 ** place), units[place]];
}

const many = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;

const ko = {
  title: '한상 · 오늘 뭐 먹지?',
  other: 'English', otherCode: 'en',
  hello: '오늘 뭐 먹지?',
  about: '카드 몇 장이면 다 같이 먹을 메뉴 셋이 나와요. 가입은 없어요.',
  backTo: (pin) => `있던 방으로 돌아가기 · ${pin}`, open: '방 열기',
  nickname: '별명', optional: '없어도 돼요',
  automatic: '자동 공개', never: '안 함', minutes: (n) => `${n}분 뒤`,
  join: 'PIN으로 들어가기', pin: 'PIN', enter: '들어가기', pinWrong: 'PIN은 숫자 여섯 자리예요.',
  solo: '혼자 고르기', soloAbout: '나만을 위한 메뉴 셋', random: '아무거나', randomAbout: '고민 없이 하나', again: '다시 뽑기', without: (names) => `${names} 빼고 골랐어요`,
  roomOf: (name) => `${name} 님의 방`, room: '한상 방',
  gathered: (n) => `${n}명이 모였어요`, joinGo: '들어가서 카드 고르기',
  step: (n, of) => `${of}장 중 ${n}번째`, back: '뒤로', like: '좋아', dislike: '별로', skip: '건너뛰기', next: '다음',
  keys: '← 별로 · → 좋아 · ↓ 건너뛰기', many: '여러 개 골라도 돼요', newCards: '그사이 카드가 바뀌었어요. 확인하고 다시 보내 주세요.',
  vetoes: '못 먹는 것이 있나요?', vetoesAbout: '고른 것은 모두의 결과에서 빠져요. 누가 골랐는지는 결과에 나오지 않아요.', vetoesKept: '지난번에 고른 대로예요.',
  lastStep: '마지막', send: '보내기', seeSolo: '결과 보기',
  waiting: '기다리는 중', invite: '함께할 사람을 불러요', share: '링크 공유', copy: '링크 복사', copied: '복사했어요', copyBy: '이것을 복사하세요',
  shareRoom: (pin) => `한상에서 오늘 먹을 것을 골라요. PIN ${pin}`, qr: '들어오는 QR 코드',
  answered: (n, of) => `${of}명 중 ${n}명이 답했어요`, done: '답했어요', choosing: '고르는 중', isHost: '방장', guest: (id) => `손님 ${id}`,
  people: '모인 사람', play: '내 카드 고르기', goOn: (n, of) => `이어서 고르기 (${n}/${of})`, sent: '보냈어요. 모두를 기다리는 중이에요.', mine: '내 답', redo: '처음부터 다시 고르기',
  reveal: '결과 공개', revealAll: '모두 답했어요. 공개해 볼까요?', revealSome: (n) => `아직 ${n}명이 고르는 중이에요.`, revealNone: '한 명이라도 답하면 공개할 수 있어요.',
  hostReveals: '방장이 결과를 공개해요.', enough: (n) => `${n}명이 답하면 결과가 나와요.`,
  left: (time) => `${time} 뒤 자동 공개`, checking: '시간이 됐어요. 결과를 확인하는 중…', passed: '시간이 됐지만 아직 답이 없어요.',
  manage: '방 관리', ends: (when) => `이 방은 ${when}에 사라져요.`, hand: '방장 넘기기', handSure: (name) => `${name} 님에게 방장을 넘길까요?`, remove: '내보내기', removeSure: (name) => `${name} 님을 내보낼까요? 이 방에는 다시 들어올 수 없어요.`,
  close: '방 닫기', closeSure: '방을 닫을까요? 모든 답과 결과가 지워져요.', leave: '방 나가기', leaveSure: '방에서 나갈까요? 보낸 답도 지워져요.', leaveResult: '방에서 나갈까요? 나온 결과는 그대로예요.', cancel: '취소', of: (what, name) => `${name} 님 ${what}`,
  result: '오늘의 한상', computing: '결과를 가져오는 중…', rank: (n) => `${n}순위`, likedBy: (n, of) => (of === 1 ? '' : n === of ? '모두에게 맞아요' : `${of}명 중 ${n}명에게 맞아요`),
  supporters: (n, of, label) => (of === 1 ? label : `${label} · ${of}명 중 ${n}명`), nextMenu: '다음 메뉴 보기', allMenus: '본 메뉴',
  excluded: (n, names) => (names ? `못 먹는 것(${names})이 있어 메뉴 ${n}개를 뺐어요.` : `못 먹는 것이 있어 메뉴 ${n}개를 뺐어요.`), fewer: '뺄 것이 많아 메뉴가 셋보다 적어요.', nothing: '남은 메뉴가 없어요.',
  decide: '이걸로 결정', decided: '오늘은 이거예요', hostDecides: '방장이 메뉴를 정해요.', shareResult: '결과 공유', newRound: '새로 한 판', home: '처음으로', soloAgain: '다시 고르기',
  basis: (n) => `${n}명의 답으로 골랐어요.`,
  shared: (names) => `오늘의 한상: ${names}`, sharedDecided: (name) => `오늘은 ${name}!`,
  gone: '그런 방이 없어요', goneAbout: 'PIN이 다르거나, 방이 끝났어요.', startOver: '새로 시작하기',
  notNow: '지금은 안 돼요', tooMany: '요청이 너무 많아요.',
  failed: '연결할 수 없어요', failedAbout: '인터넷 연결을 확인하고 다시 시도해 주세요.', retry: '다시 시도', loading: '불러오는 중…',
  stale: '마지막으로 확인한 모습이에요.', wait: (n) => `${span(n, '초', '분', '시간').join('')} 뒤에 다시 해 주세요.`, dismiss: '닫기',
  newsCame: (name) => `${name} 님이 들어왔어요.`, newsWent: (name) => `${name} 님이 나갔어요.`, newsHost: '이제 방장이에요.', newsOut: '이제 이 방에 없어요.', newsRound: '새 판이 시작됐어요.', newsRevealed: '결과가 나왔어요.', newsDecided: '메뉴가 정해졌어요.',
};

const en = {
  title: 'Hansang · What shall we eat?',
  other: '한국어', otherCode: 'ko',
  hello: 'What shall we eat?',
  about: 'A few cards each, and your group gets three menus. No sign-up.',
  backTo: (pin) => `Back to the room · ${pin}`, open: 'Open a room',
  nickname: 'Nickname', optional: 'optional',
  automatic: 'Reveal by itself', never: 'No', minutes: (n) => `after ${n} minutes`,
  join: 'Join with a PIN', pin: 'PIN', enter: 'Join', pinWrong: 'A PIN has six digits.',
  solo: 'Just me', soloAbout: 'Three menus for one', random: 'Anything', randomAbout: 'One, without thinking', again: 'Another one', without: (names) => `Without: ${names}`,
  roomOf: (name) => `${name}’s room`, room: 'A Hansang room',
  gathered: (n) => (n === 1 ? '1 person is here' : `${n} people are here`), joinGo: 'Join and pick cards',
  step: (n, of) => `${n} of ${of}`, back: 'Back', like: 'Like', dislike: 'Dislike', skip: 'Skip', next: 'Next',
  keys: '← dislike · → like · ↓ skip', many: 'Pick as many as you like', newCards: 'The cards have changed meanwhile. Have a look and send again.',
  vetoes: 'Anything you cannot eat?', vetoesAbout: 'It is left out for everybody. The result does not say who said so.', vetoesKept: 'As you chose last time.',
  lastStep: 'Last one', send: 'Send', seeSolo: 'Show the result',
  waiting: 'Waiting', invite: 'Get the others in', share: 'Share the link', copy: 'Copy the link', copied: 'Copied', copyBy: 'Copy this',
  shareRoom: (pin) => `Help to pick today’s food on Hansang. PIN ${pin}`, qr: 'QR code to join',
  answered: (n, of) => `${n} of ${of} have answered`, done: 'answered', choosing: 'picking', isHost: 'host', guest: (id) => `Guest ${id}`,
  people: 'Who is here', play: 'Pick my cards', goOn: (n, of) => `Go on picking (${n}/${of})`, sent: 'Sent. Waiting for everybody.', mine: 'My answers', redo: 'Start my cards over',
  reveal: 'Reveal the result', revealAll: 'Everybody has answered. Ready?', revealSome: (n) => (n === 1 ? 'One is still picking.' : `${n} are still picking.`), revealNone: 'You can reveal once somebody has answered.',
  hostReveals: 'The host reveals the result.', enough: (n) => `The result comes when ${n} have answered.`,
  left: (time) => `Revealed in ${time}`, checking: 'Time is up. Checking for the result…', passed: 'Time is up, but nobody has answered yet.',
  manage: 'Manage the room', ends: (when) => `This room ends on ${when}.`, hand: 'Make host', handSure: (name) => `Make ${name} the host?`, remove: 'Remove', removeSure: (name) => `Remove ${name}? They cannot come back to this room.`,
  close: 'Close the room', closeSure: 'Close the room? All answers and results are deleted.', leave: 'Leave the room', leaveSure: 'Leave the room? Your answers are deleted, too.', leaveResult: 'Leave the room? The result stays as it is.', cancel: 'Cancel', of: (what, name) => `${what}: ${name}`,
  result: 'Today’s table', computing: 'Getting the result…', rank: (n) => `No. ${n}`, likedBy: (n, of) => (of === 1 ? '' : n === of ? 'Suits everybody' : `Suits ${n} of ${of}`),
  supporters: (n, of, label) => (of === 1 ? label : `${label} · ${n} of ${of}`), nextMenu: 'Next menu', allMenus: 'Seen so far',
  excluded: (n, names) => `${n === 1 ? '1 menu is' : `${n} menus are`} left out for what somebody cannot eat${names ? ` (${names})` : ''}.`, fewer: 'So much is left out that there are fewer than three.', nothing: 'No menu is left.',
  decide: 'Let’s have this', decided: 'This is it', hostDecides: 'The host decides.', shareResult: 'Share the result', newRound: 'Play again', home: 'To the start', soloAgain: 'Pick again',
  basis: (n) => (n === 1 ? 'From one person’s answers.' : `From the answers of ${n} people.`),
  shared: (names) => `Today’s table: ${names}`, sharedDecided: (name) => `Today it is ${name}!`,
  gone: 'There is no such room', goneAbout: 'The PIN is another one, or the room is over.', startOver: 'Start anew',
  notNow: 'Not just now', tooMany: 'That is too many tries.',
  failed: 'No connection', failedAbout: 'Check your network and try again.', retry: 'Try again', loading: 'Loading…',
  stale: 'This is the last known state.', wait: (n) => `Try again in ${many(...span(n, 'second', 'minute', 'hour'))}.`, dismiss: 'Close',
  newsCame: (name) => `${name} has joined.`, newsWent: (name) => `${name} has left.`, newsHost: 'You are the host now.', newsOut: 'You are not in this room any more.', newsRound: 'A new round has begun.', newsRevealed: 'The result is there.', newsDecided: 'The menu is decided.',
};

export const languages = { ko, en };
let chosen = recall('language');
if (!(chosen in languages)) chosen = navigator.languages.find((name) => /^(ko|en)\b/.test(name))?.slice(0, 2) ?? 'ko';

/** `ko` or `en`: the one that was switched to, else the first of the browser's that is one of them. */
export const language = () => chosen;

export function speak(name) {
  chosen = name;
  remember('language', name);
}

/** A text by its name, with what is to stand in it. */
export function t(name, ...values) {
  const text = languages[chosen][name];
  return typeof text === 'function' ? text(...values) : text;
}

/** Whom a member is called. */
export const nameOf = (member) => member.nickname ?? t('guest', member.id.replace(/^m_/, ''));
