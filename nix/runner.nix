self:
{
  config,
  lib,
  pkgs,
  ...
}:

let
  cfg = config.services.kinora-runner;
  toml = pkgs.formats.toml { };
  stateDir = "/var/lib/kinora-runner";
  configuration = toml.generate "kinora-runner.toml" (
    lib.recursiveUpdate { storage.directory = stateDir; } cfg.settings
  );
  program = "${cfg.package}/bin/kinora-runner";
  # What an operator runs: as the runner's user, with its storage.
  operator = pkgs.writeShellScriptBin "kinora-runner" ''
    exec ${pkgs.util-linux}/bin/runuser -u kinora-runner -- ${program} "$@" --config ${configuration}
  '';
in
{
  options.services.kinora-runner = {
    enable = lib.mkEnableOption "kinora-runner, which makes renditions for Kinora and PeerTube servers";

    package = lib.mkOption {
      type = lib.types.package;
      default = self.packages.${pkgs.stdenv.hostPlatform.system}.default;
      description = "The package to run.";
    };

    settings = lib.mkOption {
      inherit (toml) type;
      default = { };
      example = {
        concurrency = 1;
        media.threads = 4;
        media.hardware = "auto";
      };
      description = "Keys of config.toml, as runner/README.md has them. Tokens are not among them: `kinora-runner register` keeps them.";
    };

    devices = lib.mkOption {
      type = lib.types.listOf lib.types.str;
      default = [ ];
      example = [ "/dev/dri/renderD128" ];
      description = "Devices of hardware encoders that the service may open.";
    };
  };

  config = lib.mkIf cfg.enable {
    environment.systemPackages = [ operator ];

    users.users.kinora-runner = {
      isSystemUser = true;
      group = "kinora-runner";
      home = stateDir;
    };
    users.groups.kinora-runner = { };

    systemd.services.kinora-runner = {
      description = "Kinora runner";
      wantedBy = [ "multi-user.target" ];
      after = [ "network-online.target" ];
      wants = [ "network-online.target" ];
      # The sandbox of the encoders.
      path = [ pkgs.util-linux ];
      serviceConfig = {
        ExecStart = "${program} start --config ${configuration}";
        User = "kinora-runner";
        Group = "kinora-runner";
        SupplementaryGroups = lib.optionals (cfg.devices != [ ]) [
          "render"
          "video"
        ];
        StateDirectory = "kinora-runner";
        StateDirectoryMode = "0700";
        KillMode = "mixed";
        TimeoutStopSec = (cfg.settings.grace_seconds or 60) + 30;
        Restart = "always";
        RestartSec = 5;
        RestartPreventExitStatus = 78;
        Nice = 10;
        IOSchedulingClass = "idle";
        UMask = "0077";
        NoNewPrivileges = true;
        CapabilityBoundingSet = "";
        PrivateTmp = true;
        PrivateDevices = cfg.devices == [ ];
        DevicePolicy = "closed";
        DeviceAllow = map (device: "${device} rw") cfg.devices;
        ProtectSystem = "strict";
        ProtectHome = true;
        ProtectClock = cfg.devices == [ ];
        ProtectHostname = true;
        ProtectKernelLogs = true;
        ProtectKernelModules = true;
        ProtectKernelTunables = true;
        ProtectControlGroups = true;
        RestrictRealtime = true;
        RestrictSUIDSGID = true;
        RestrictAddressFamilies = [
          "AF_UNIX"
          "AF_INET"
          "AF_INET6"
          "AF_NETLINK"
        ];
        # Encoders run without network: that takes namespaces.
        RestrictNamespaces = "user net";
        LockPersonality = true;
        SystemCallArchitectures = "native";
      };
    };
  };
}
