#!/bin/sh
# Makes the pictures of the status page: each of a real daemon between the emulators, in Chromium without a window.
# Needs a JDK 21 or newer and chromium (or google-chrome) on the PATH; without it the tests are skipped, and say so.
set -eu
cd "$(dirname "$0")/../.."
./mvnw -B -q -pl app -am test -Dtest=PicturesTest -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.pictures=true
ls -l docs/pictures/*.png
