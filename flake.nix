# Unverified: never evaluated or built. docs/operating.md says how it is meant to be used.
{
  description = "Kinora, a federated video host";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
      ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.callPackage ./nix/package.nix { };
      });

      devShells = forEach (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.nodejs_24
            pkgs.ffmpeg
            pkgs.postgresql
            pkgs.chromium
            (pkgs.python3.withPackages (python: [ python.feedparser ]))
          ];
          KINORA_FFMPEG_PATH = "${pkgs.ffmpeg}/bin/ffmpeg";
          KINORA_FFPROBE_PATH = "${pkgs.ffmpeg}/bin/ffprobe";
        };
      });

      nixosModules.default = import ./nix/module.nix self;
      nixosModules.runner = import ./nix/runner.nix self;
    };
}
