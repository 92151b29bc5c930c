import pytest

from players import Browser, Player, is_network
from server import Server


@pytest.fixture(scope="session")
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture(scope="session")
def browser():
    browser = Browser()
    yield browser
    browser.driver.quit()


@pytest.fixture
def player(browser, server):
    """Makes players. Afterwards nothing has gone wrong in any of their pages: no error, and nothing that the policy had to stop."""
    players = []

    def make(**more):
        players.append(Player(browser, server.url, **more))
        return players[-1]

    browser.logged()
    yield make
    faults = [fault for player in players for fault in player.script("return window.faults ?? []")]
    faults += [message for message in browser.logged() if not is_network(message)]
    for player in players:
        player.close()
    assert not faults
