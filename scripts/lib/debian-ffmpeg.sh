#!/bin/sh
# Unpacks Debian's ffmpeg with its libraries below .cache, beside whatever is installed, and prints the folder of its ffmpeg and
# ffprobe. Prints nothing where there is none to be had: on other systems, or without a network.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
folder=$root/.cache/ffmpeg-debian

command -v apt-get > /dev/null 2>&1 && command -v dpkg-deb > /dev/null 2>&1 || exit 0
if ! "$folder/bin/ffmpeg" -version > /dev/null 2>&1 || ! "$folder/bin/ffprobe" -version > /dev/null 2>&1; then
  rm -rf "$folder"
  mkdir -p "$folder/packages/partial" "$folder/bin"
  apt-cache show ffmpeg > /dev/null 2>&1 || { [ "$(id -u)" = 0 ] && apt-get update -qq > /dev/null 2>&1; } || exit 0
  # What is installed already is not downloaded again: it is found where it is.
  apt-get install -qq --yes --download-only --reinstall --no-install-recommends \
    -o Debug::NoLocking=1 -o Dir::Cache::archives="$folder/packages" ffmpeg > /dev/null 2>&1 || exit 0
  for package in "$folder"/packages/*.deb; do dpkg-deb --extract "$package" "$folder/root"; done
  rm -rf "$folder/packages"
  libraries=$(find "$folder/root/usr/lib" -name '*.so.*' -exec dirname {} + | sort -u | tr '\n' ':')
  for tool in ffmpeg ffprobe; do
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$libraries" "$folder/root/usr/bin/$tool" > "$folder/bin/$tool"
    chmod +x "$folder/bin/$tool"
  done
fi
"$folder/bin/ffmpeg" -version > /dev/null 2>&1 && "$folder/bin/ffprobe" -version > /dev/null 2>&1 || exit 0
printf '%s\n' "$folder/bin"
