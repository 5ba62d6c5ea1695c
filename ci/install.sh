#!/usr/bin/env bash
# Installs what is missing of the packages a task needs, from Debian's archive. Root is asked for only when something
# is missing, and nothing is printed when all goes well.
#
#   ci/install.sh GROUP…     groups: build, test, lint, fuzz, python, node, browser, package, scale
set -euo pipefail

if [ "${1-}" = --help ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 0
fi
packages_of() {
    case $1 in
    build)
        echo cmake ninja-build gcc libc6-dev pkg-config libwebsockets-dev libwebsockets-evlib-uv libuv1-dev libssl-dev \
            libcjson-dev libjwt-dev libjpeg62-turbo-dev libsndfile1-dev libsamplerate0-dev zlib1g-dev check
        ;;
    test)
        echo python3 python3-websockets python3-jsonschema python3-junitparser python3-yaml python3-pytest python3-pytest-asyncio python3-mypy python3-venv \
            python3-pip perl binutils curl dpkg-dev lintian haproxy
        ;;
    lint) echo clang clang-format clang-tidy shellcheck binutils python3 ;;
    fuzz)
        echo clang libclang-rt-dev
        ;;
    python) echo python3 python3-websockets ;;
    node)
        # Debian's, unless there is one of another origin already.
        command -v node >/dev/null || echo nodejs ca-certificates
        command -v npm >/dev/null || echo npm
        ;;
    browser) echo chromium ;;
    package) echo binutils dpkg-dev lintian ;;
    scale) echo haproxy python3 ;;
    *)
        echo "install.sh: no group '$1' (build, test, lint, fuzz, python, node, browser, package, scale)" >&2
        return 2
        ;;
    esac
}

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing_of() {
    local group package packages
    for group in "$@"; do
        packages=$(packages_of "$group")
        for package in $packages; do
            is_installed "$package" || echo "$package"
        done
    done
}

# Runs a command as root; its output is kept back.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
        install --no-install-recommends "$@" >"$log" 2>&1
}

if ! command -v dpkg-query >/dev/null; then
    echo "install.sh: no Debian here; the packages of CONTRIBUTING.md have to be there already" >&2
    exit 0
fi
for group in "$@"; do
    packages_of "$group" >/dev/null
done
mapfile -t missing < <(missing_of "$@" | sort -u)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "install.sh: these packages are missing, and installing them takes root or sudo: ${missing[*]}" >&2
    exit 1
fi
echo "Installing ${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt_update() {
    as_root apt-get -qq -o DPkg::Lock::Timeout=300 update >"$log" 2>&1
}

# Fresh or outdated package lists make the first try fail.
if apt_install "${missing[@]}"; then
    exit 0
fi
if apt_update && apt_install "${missing[@]}"; then
    exit 0
fi
cat "$log" >&2
echo "install.sh: could not install ${missing[*]}" >&2
exit 1
