"""A browser, and the people who sit before it: each with a profile that no other sees."""

import re
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

PHONE = (390, 844)
DESKTOP = (1280, 800)
# Seconds in which something that has to happen happens, on a machine that is busy with other things.
PATIENCE = 30
# What a page that is looked at reports: what it was kept from, what went wrong in it, and what moved by itself.
WATCH = """
    window.faults = [];
    window.shift = 0;
    addEventListener('securitypolicyviolation', (event) => faults.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    addEventListener('error', (event) => faults.push(`error: ${event.message}`));
    addEventListener('unhandledrejection', (event) => faults.push(`rejection: ${event.reason?.message}`));
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value; })
        .observe({type: 'layout-shift', buffered: true});
"""
# The first visible thing to press that is called so.
FIND = """
    const called = (node) => (node.getAttribute('aria-label') ?? node.innerText ?? '').replace(/\\s+/g, ' ').trim();
    const all = [...document.querySelectorAll('button, a, summary, label')].filter((node) => node.checkVisibility());
    return all.find((node) => called(node) === arguments[0]) ?? all.find((node) => called(node).includes(arguments[0])) ?? null;
"""

FIND_AND_CLICK = f"const found = (function (name) {{ {FIND} }})(arguments[0]); found?.click(); return found !== null;"


def eventually(look):
    """Waits until there is something to be seen, and returns that."""
    end = time.monotonic() + PATIENCE
    while not (value := look()):
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.03)
    return value


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "hide-scrollbars", "accept-lang=ko"):
            options.add_argument(f"--{argument}")
        # For profiles that are separate within one browser.
        options.set_capability("webSocketUrl", True)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        # Whose window the driver is at.
        self.seen = None

    def logged(self):
        """Errors in the console since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]


class Player:
    def __init__(self, browser, url, size=PHONE, languages="ko", dark=False, calm=False):
        self.browser, self.driver, self.url = browser, browser.driver, url
        self.profile = self.driver.browser.create_user_context()
        self.size, self.languages, self.dark, self.calm = size, languages, dark, calm
        self.open_tab()

    def close(self):
        self.driver.browser.remove_user_context(self.profile)
        self.browser.seen = None

    def look(self):
        """Has what follows happen in this player's window."""
        if self.browser.seen is not self:
            self.driver.switch_to.window(self.window)
            self.browser.seen = self

    def open_tab(self):
        self.window = self.driver.browsing_context.create(type="tab", user_context=self.profile)
        self.browser.seen = None
        self.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        agent = self.script("return navigator.userAgent")
        self.command("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=self.languages)
        width, height = self.size
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if self.calm else "no-preference"}]
        self.command("Emulation.setEmulatedMedia", features=features)

    def reopen(self):
        """Closes the tab, and opens another for the same person."""
        former = self.window
        self.open_tab()
        self.driver.browsing_context.close(former)

    def command(self, name, **parameters):
        self.look()
        return self.driver.execute_cdp_cmd(name, parameters)

    def network(self, is_there):
        self.command("Network.enable")
        self.command(
            "Network.emulateNetworkConditions", offline=not is_there, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def script(self, text, *arguments):
        self.look()
        return self.driver.execute_script(text, *arguments)

    def module(self, name, text):
        """The value of an expression in which `m` is a module of the client."""
        self.look()
        return self.driver.execute_async_script(
            "const [name, text, done] = arguments;"
            "const folder = document.querySelector('script[type=module]').src.replace(/[^/]*$/, '');"
            f"import(folder + name).then((m) => ({text})).then(done, (error) => done(String(error)))", name, text)

    def go(self, path="/"):
        self.look()
        self.driver.get(self.url + path)
        self.until("return document.querySelector('main h1') !== null", "a screen")

    def reload(self):
        self.look()
        self.driver.refresh()
        self.until("return document.querySelector('main h1') !== null", "a screen")

    def back(self):
        self.script("history.back()")

    def until(self, script, what, *arguments):
        """Waits until a script returns something, and returns that."""
        try:
            return eventually(lambda: self.script(script, *arguments))
        except TimeoutError:
            raise AssertionError(f"waits in vain for {what}; sees: {self.text}") from None

    @property
    def text(self):
        return self.script("return document.body.innerText.replace(/\\s+/g, ' ')")

    def sees(self, *texts):
        for text in texts:
            self.until("return document.body.innerText.replace(/\\s+/g, ' ').includes(arguments[0])", f"'{text}'", text)
        return self

    def does_not_see(self, text):
        self.until("return !document.body.innerText.replace(/\\s+/g, ' ').includes(arguments[0])", f"no '{text}'", text)
        return self

    def can_press(self, name):
        return self.script(FIND, name) is not None

    def press(self, *names):
        """Presses what is called so, as a finger would: where it is seen, and nothing is in front of it."""
        for name in names:
            for attempt in range(3):
                node = self.until(FIND, f"'{name}' to press", name)
                try:
                    # A card that has only just come takes no tap yet.
                    self.until("return getComputedStyle(arguments[0]).pointerEvents !== 'none'", f"'{name}' to take a tap", node)
                    node.click()
                    break
                except StaleElementReferenceException:
                    # The screen has changed under the finger.
                    assert attempt < 2
        return self

    def tap(self, *names):
        """As `press`, for the many times when it is not to be tried out whether there is something in front of it."""
        for name in names:
            self.until(FIND_AND_CLICK, f"'{name}' to press", name)
        return self

    def fill(self, field, text):
        node = self.until("return document.getElementById(arguments[0])", field, field)
        node.clear()
        node.send_keys(text)
        return self

    def keys(self, *keys):
        self.look()
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()
        return self

    def confirm(self):
        """Says yes to what is asked."""
        self.until("return document.querySelector('dialog[open] button[value=yes]')", "a question").click()
        self.until("return document.querySelector('dialog') === null", "the question to be gone")
        return self

    # The game, in Korean.

    def choose(self, field, value):
        self.script("const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))", field, value)
        return self

    def open_room(self, nickname=None, who="anybody"):
        """Opens a room from the first page, in which `who` may reveal (`None` for whoever the form says), and returns its PIN."""
        self.go()
        if nickname:
            self.fill("nickname", nickname)
        if who:
            self.choose("who", who)
        self.press("방 열기")
        path = self.until("return location.pathname.startsWith('/r/') && location.pathname", "the room")
        self.sees("명이 답했어요")
        return path.removeprefix("/r/")

    def join(self, pin, nickname=None):
        self.go(f"/r/{pin}")
        if nickname:
            self.fill("nickname", nickname)
        return self.press("들어가서 카드 고르기").sees("9장 중 1번째")

    def answer(self, traits=("좋아",) * 7, options=("국물", "한식")):
        """Answers all cards, one after another."""
        for number, trait in enumerate(traits, 1):
            self.sees(f"9장 중 {number}번째").tap(trait)
        for number, option in enumerate(options, len(traits) + 1):
            self.sees(f"9장 중 {number}번째")
            self.tap(option, "다음") if option else self.tap("건너뛰기")
        return self.sees("못 먹는 것이 있나요?")

    def submit(self, *vetoes, **answers):
        return self.answer(**answers).press(*vetoes, "보내기").sees("보냈어요")

    @property
    def menu(self):
        return self.script("return document.querySelector('.menu h2').textContent")


RIGHT, LEFT, DOWN, TAB, ENTER, SPACE, BACKSPACE = (
    Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.TAB, Keys.ENTER, Keys.SPACE, Keys.BACKSPACE)


def is_network(message):
    """Whether an entry of the console is about a request that failed: the browser says so, whatever the page makes of it."""
    return re.search(r"net::ERR_|Failed to load resource", message) is not None
