{
  lib,
  buildNpmPackage,
  nodejs_24,
  makeWrapper,
  ffmpeg,
}:

buildNpmPackage {
  pname = "kinora";
  version = "0.1.0";
  src = lib.cleanSource ../.;
  nodejs = nodejs_24;

  # Nix tells the right value at the first build.
  npmDepsHash = lib.fakeHash;
  npmFlags = [ "--ignore-scripts" ];

  nativeBuildInputs = [ makeWrapper ];

  buildPhase = ''
    runHook preBuild
    node scripts/build.ts
    node packages/web/build.ts
    runHook postBuild
  '';

  # The packaged PostgreSQL, ffmpeg and Node.js are made for other systems: nixpkgs has them.
  installPhase = ''
    runHook preInstall
    npm prune --omit=dev --omit=optional --ignore-scripts
    mkdir -p $out/lib/kinora $out/bin
    cp -r dist node_modules package.json $out/lib/kinora
    find $out/lib/kinora/node_modules -xtype l -delete
    makeWrapper ${nodejs_24}/bin/node $out/bin/kinora \
      --add-flags $out/lib/kinora/dist/kinora.mjs \
      --set-default KINORA_FFMPEG_PATH ${ffmpeg}/bin/ffmpeg \
      --set-default KINORA_FFPROBE_PATH ${ffmpeg}/bin/ffprobe \
      --run 'export NODE_COMPILE_CACHE=''${NODE_COMPILE_CACHE:-''${XDG_CACHE_HOME:-/tmp}/kinora-node}'
    makeWrapper ${nodejs_24}/bin/node $out/bin/kinora-runner \
      --add-flags $out/lib/kinora/dist/kinora-runner.mjs \
      --set-default KINORA_FFMPEG_PATH ${ffmpeg}/bin/ffmpeg \
      --set-default KINORA_FFPROBE_PATH ${ffmpeg}/bin/ffprobe
    runHook postInstall
  '';

  meta = {
    description = "A federated video host";
    license = lib.licenses.agpl3Plus;
    mainProgram = "kinora";
    platforms = lib.platforms.linux;
  };
}
