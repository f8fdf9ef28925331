#!/bin/sh
# Chromium for the tests in a browser: says where it is, or installs Debian's.
#
# CHROMIUM may name one. Where there is none, apt-get installs it if this is root, and that it fails is an error.
# Anyone else, or another system, is told what is missing; the tests are then skipped, but for CI, where they fail.
set -eu
if found=$(command -v "${CHROMIUM:-chromium}"); then
    echo "Tests in a browser run in $found."
    exit
fi
if [ -n "${CHROMIUM:-}" ]; then
    echo "CHROMIUM names $CHROMIUM, which is no command here; give the path of Chromium, or unset it." >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "No chromium here, and only root can install it, by apt-get: tests in a browser are skipped." >&2
    exit
fi
echo "Installing chromium for the tests in a browser."
export DEBIAN_FRONTEND=noninteractive
apt-get install --yes --quiet --no-install-recommends chromium >/dev/null 2>&1 && exit
apt-get update --quiet >/dev/null
apt-get install --yes --quiet --no-install-recommends chromium >/dev/null
