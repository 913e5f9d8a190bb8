self:
{
  config,
  lib,
  pkgs,
  ...
}:

let
  cfg = config.services.kinora;
  yaml = pkgs.formats.yaml { };
  # What is null was not set: the program has its own default.
  given = lib.filterAttrsRecursive (_: value: value != null && value != { }) cfg.settings;
in
{
  options.services.kinora = {
    enable = lib.mkEnableOption "Kinora, a federated video host";

    package = lib.mkOption {
      type = lib.types.package;
      default = self.packages.${pkgs.stdenv.hostPlatform.system}.default;
      description = "The package to run.";
    };

    dataDir = lib.mkOption {
      type = lib.types.path;
      default = "/var/lib/kinora";
      description = "Folder of everything the instance keeps.";
    };

    environmentFile = lib.mkOption {
      type = lib.types.nullOr lib.types.path;
      default = null;
      description = "File with secrets, such as KINORA_ROOT_PASSWORD and DATABASE_URL.";
    };

    createDatabase = lib.mkOption {
      type = lib.types.bool;
      default = true;
      description = "Whether the machine's PostgreSQL gets a database for Kinora.";
    };

    settings = import ./options.nix { inherit lib; };
  };

  config = lib.mkIf cfg.enable {
    services.postgresql = lib.mkIf cfg.createDatabase {
      enable = true;
      ensureDatabases = [ "kinora" ];
      ensureUsers = [
        {
          name = "kinora";
          ensureDBOwnership = true;
        }
      ];
    };

    users.users.kinora = {
      isSystemUser = true;
      group = "kinora";
      home = cfg.dataDir;
    };
    users.groups.kinora = { };

    systemd.services.kinora = {
      description = "Kinora";
      wantedBy = [ "multi-user.target" ];
      after = [ "network-online.target" ] ++ lib.optional cfg.createDatabase "postgresql.target";
      wants = [ "network-online.target" ];
      environment = {
        KINORA_DATA_DIR = cfg.dataDir;
        NODE_COMPILE_CACHE = "/var/cache/kinora/node";
      }
      // lib.optionalAttrs cfg.createDatabase {
        DATABASE_URL = "postgres://kinora@localhost/kinora?host=/run/postgresql";
      };
      serviceConfig = {
        ExecStart = "${lib.getExe cfg.package} serve --config ${yaml.generate "kinora.yaml" given}";
        User = "kinora";
        Group = "kinora";
        StateDirectory = "kinora";
        CacheDirectory = "kinora";
        EnvironmentFile = lib.optional (cfg.environmentFile != null) cfg.environmentFile;
        Restart = "on-failure";
        RestartPreventExitStatus = 78;
        TimeoutStopSec = 20;
        LimitNOFILE = 65536;
        NoNewPrivileges = true;
        PrivateTmp = true;
        ProtectSystem = "strict";
        ProtectHome = true;
        ReadWritePaths = [ cfg.dataDir ];
      };
    };
  };
}
