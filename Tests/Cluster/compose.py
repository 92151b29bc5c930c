"""docker/compose.yaml as far as it can be tried without a Docker engine: that all it names is there, and that nodes take what it sets."""

import os
import re
import subprocess

import yaml

from server import PROGRAM, ROOT, Failure

FILE = ROOT / "docker/compose.yaml"
#: What nobody can look up here: an image of Docker's own library.
IMAGES = {"postgres:15-bookworm"}
SETTINGS = {"DATABASE_PASSWORD": "0123456789abcdef", "PUBLIC_URL": "https://lunch.example"}


def run(folder, seed, is_long, report):
    with open(FILE) as file:
        composed = yaml.safe_load(file)
    services = composed["services"]
    nodes = [name for name in services if name.startswith("hansang-")]
    built = {service["image"] for service in services.values() if "build" in service}
    for name, service in services.items():
        _require(service.get("image") in built | IMAGES, f"{name} has an image that nobody builds: {service.get('image')}")
        if "build" in service:
            file = FILE.parent / service["build"]["context"] / service["build"]["dockerfile"]
            _require(file.is_file(), f"{name} is built from {file}, which is not there")
            _require("HEALTHCHECK" in file.read_text(), f"{file} says nothing of health")
        else:
            _require("healthcheck" in service, f"{name} says nothing of health")
        for other, wish in service.get("depends_on", {}).items():
            _require(other in services and wish == {"condition": "service_healthy"}, f"{name} waits for {other}")
        for network in service["networks"]:
            _require(network in composed["networks"], f"{name} is in {network}, which is none")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            _require(source.startswith("./") or source in composed["volumes"], f"{name} has {source}, which is none")
    # The proxy knows the nodes by the names that they have here, and looks them up only once.
    proxied = re.findall(r"^\s*server ([\w-]+):8080 ", (FILE.parent / "proxy/nginx.conf").read_text(), re.MULTILINE)
    _require(sorted(proxied) == sorted(nodes), f"the proxy asks {proxied}, and there are {nodes}")
    addresses = {services[name]["networks"]["inside"]["ipv4_address"] for name in nodes}
    _require(len(addresses) == len(nodes), "two nodes have one address")
    environments = [services[name]["environment"] for name in nodes]
    _require(all(environment == environments[0] for environment in environments), "the nodes differ")
    _configure(environments[0])
    report.ran("docker/compose.yaml", 1, f"{', '.join(services)}: all that they name is there; not run, for there is no Docker here")


def _configure(environment):
    """The nodes' settings, with the operator's in them, as the program takes them."""
    given = {name: re.sub(r"\$\{(\w+)[^}]*\}", lambda match: SETTINGS[match.group(1)], value) for name, value in environment.items()}
    done = subprocess.run([PROGRAM, "config"], env={**os.environ, **given}, capture_output=True, text=True)
    _require(done.returncode == 0, f"hansang config: {done.stderr}")
    for name in given:
        _require(name in done.stdout, f"hansang does not take {name}:\n{done.stdout}")
    _require(SETTINGS["DATABASE_PASSWORD"] not in done.stdout, "hansang config shows the password")


def _require(holds, otherwise):
    if not holds:
        raise Failure(f"compose.yaml: {otherwise}")
