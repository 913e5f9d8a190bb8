import { Result, Schema } from "effect"
import { key } from "../kinds/Key.ts"
import { boolean, integer, type Kind, nullable, oneOf, pattern, port, secret, text, url } from "../kinds/Kind.ts"
import { list, records } from "../kinds/KindLists.ts"
import { network } from "../kinds/KindNetwork.ts"
import { duration, size } from "../kinds/KindQuantities.ts"

// A `?` would begin the options of the connection.
const socketPath = pattern(/^\/[^?\0]+$/, "the absolute path of a socket")

const Sentinel = Schema.Struct({ hostname: Schema.String, port: Schema.Int })

/** A text or number within a record that a kind must be able to read. */
const readable = (kind: Kind<unknown>) =>
  Schema.makeFilter((value: string | number) => {
    const read = kind.read(value)
    return Result.isSuccess(read) || read.failure
  })

/** Programs beside the node: database, Redis, mail, logs and telemetry. */
export const services = {
  database: {
    url: key(
      nullable(secret),
      null,
      "postgres:// address; wins over the other database keys (short form: DATABASE_URL)"
    ),
    hostname: key(nullable(text), null, "Host of an external PostgreSQL; none: the embedded one is used"),
    port: key(port, 5432, "Port of the external PostgreSQL"),
    ssl: key(boolean, false, "Whether the connection is encrypted"),
    name: key(nullable(text), null, "Name of the database", "`kinora` followed by `database.suffix`"),
    suffix: key(text, "", "What follows `kinora` in the name of the database"),
    username: key(text, "kinora", "User of the external PostgreSQL"),
    password: key(secret, "kinora", "Password of that user"),
    pool: { max: key(integer(1, 500), 5, "Connections held open at most") },
    replica: {
      url: key(
        nullable(secret),
        null,
        "postgres:// address of a standby (streaming replication) that answers lists, searches and feeds of visitors; none: the database does"
      ),
      max_lag: key(
        duration,
        "5 seconds",
        "How far the standby may be behind; beyond, and while it is away, the database answers"
      ),
      pool: { max: key(integer(2, 500), 6, "Connections to the standby held open at most") }
    }
  },
  redis: {
    url: key(nullable(secret), null, "redis:// address; wins over the other redis keys (short form: REDIS_URL)"),
    hostname: key(nullable(text), null, "Host of Redis; none: state shared by nodes stays in memory"),
    port: key(port, 6379, "Port of Redis"),
    socket: key(nullable(socketPath), null, "Unix socket of Redis, instead of host and port"),
    auth: key(nullable(secret), null, "Password of Redis"),
    db: key(integer(0), 0, "Number of the Redis database"),
    sentinel: {
      enabled: key(boolean, false, "Whether Redis is found through sentinels"),
      enable_tls: key(boolean, false, "Whether sentinels are asked over TLS"),
      master_name: key(text, "", "Name of the master the sentinels watch"),
      sentinels: key(records(Sentinel, "{ hostname, port }"), [], "The sentinels")
    }
  },
  smtp: {
    transport: key(oneOf(["smtp", "sendmail"]), "smtp", "How mail leaves"),
    sendmail: key(nullable(text), null, "Path of the sendmail program"),
    hostname: key(nullable(text), null, "Mail server; none: no mail is sent"),
    port: key(port, 465, "Port of the mail server"),
    username: key(nullable(text), null, "User at the mail server"),
    password: key(nullable(secret), null, "Password of that user"),
    tls: key(boolean, true, "Whether the connection starts with TLS"),
    disable_starttls: key(boolean, false, "Whether STARTTLS is never tried"),
    ca_file: key(nullable(text), null, "File of a certificate authority of one's own"),
    from_address: key(text, "admin@example.com", "Sender of the mails")
  },
  email: {
    body: { signature: key(text, "Kinora", "Signature below every mail") },
    subject: { prefix: key(text, "[Kinora]", "What every subject starts with") },
    announcements: {
      per_minute: key(
        integer(6),
        60,
        "Mails of an administrator to users that are sent in a minute, by all nodes together"
      )
    }
  },
  log: {
    level: key(oneOf(["trace", "debug", "info", "warn", "error"]), "info", "Least severe message that is logged"),
    format: key(
      oneOf(["auto", "pretty", "json"]),
      "auto",
      "Form on standard output; auto: pretty on a terminal, else JSON"
    ),
    rotation: {
      enabled: key(boolean, true, "Whether logs are also written to files in `storage.logs` and rotated"),
      max_file_size: key(size, "12MB", "Size at which a new file is begun"),
      max_files: key(integer(1, 10_000), 20, "Files kept")
    },
    anonymize_ip: key(boolean, false, "Whether the last part of addresses is left out"),
    log_ping_requests: key(boolean, true, "Whether requests of /api/v1/ping are logged"),
    log_tracker_unknown_infohash: key(boolean, true, "Whether announces of unknown torrents are logged"),
    log_http_requests: key(boolean, true, "Whether requests are logged"),
    tag_requests: key(boolean, false, "Whether every log line of a request carries the request's id"),
    prettify_sql: key(boolean, false, "Whether logged SQL is laid out over several lines"),
    accept_client_log: key(boolean, true, "Whether browsers may report their errors")
  },
  open_telemetry: {
    service_name: key(text, "kinora", "Name under which traces, metrics and logs are exported"),
    otlp: {
      endpoint: key(url, "", "Base address of an OTLP/HTTP collector; empty: nothing is exported"),
      headers: key(nullable(secret), null, "Headers for the collector, as name=value separated by commas"),
      interval: key(duration, "10 seconds", "Time between two exports")
    },
    metrics: {
      enabled: key(boolean, false, "Whether metrics are gathered for export"),
      playback_stats_interval: key(duration, "15 seconds", "How often players report what they played"),
      http_request_duration: { enabled: key(boolean, false, "Whether the duration of each route is measured") },
      prometheus_exporter: {
        hostname: key(text, "127.0.0.1", "Address the Prometheus endpoint listens on"),
        port: key(port, 9091, "Port the Prometheus endpoint listens on")
      }
    },
    tracing: {
      enabled: key(boolean, false, "Whether traces are exported"),
      jaeger_exporter: { endpoint: key(url, "", "Address of the trace collector (OTLP/HTTP)") }
    }
  },
  stats: {
    registration_requests: { enabled: key(boolean, true, "Whether public statistics count registrations") },
    abuses: { enabled: key(boolean, true, "Whether public statistics count reports") },
    total_moderators: { enabled: key(boolean, true, "Whether public statistics count moderators") },
    total_admins: { enabled: key(boolean, true, "Whether public statistics count administrators") }
  },
  search: {
    remote_uri: {
      users: key(boolean, true, "Whether users may look up remote videos and channels by address"),
      anonymous: key(boolean, false, "Whether anybody may look them up")
    },
    search_index: {
      enabled: key(boolean, false, "Whether searches also ask a search index"),
      url: key(url, "", "Address of the search index"),
      disable_local_search: key(boolean, false, "Whether only the index is asked"),
      is_default_search: key(boolean, false, "Whether the index is asked unless the user chooses otherwise")
    }
  },
  services: { twitter: { username: key(text, "", "Account named in Twitter cards") } },
  federation: {
    enabled: key(boolean, true, "Whether the instance federates"),
    prevent_ssrf: key(boolean, true, "Whether fetches of private addresses are refused"),
    only_loopback: key(
      boolean,
      false,
      "For trials on one machine: whether fetches reach loopback addresses alone, over http and on any port"
    ),
    sign_federated_fetches: key(boolean, true, "Whether fetches of remote objects are signed"),
    min_rsa_bits: key(
      integer(1_024, 8_192),
      2_048,
      "Bits that keys of other instances have at least; sets of test instances may have keys of 1024"
    ),
    announce_conversations: key(
      boolean,
      false,
      "Whether channels pass on what is said below their videos to servers of groups, such as Lemmy (FEP-1b12)"
    ),
    anonymous_reports: key(
      boolean,
      false,
      "Whether reports of what is of another instance reach its moderators in the name of this instance, not of who reported"
    ),
    videos: {
      federate_unlisted: key(boolean, false, "Whether unlisted videos are announced"),
      cleanup_remote_interactions: key(boolean, true, "Whether remote likes and comments that are gone are removed")
    }
  },
  followers: {
    instance: {
      enabled: key(boolean, true, "Whether other instances may follow this one"),
      manual_approval: key(boolean, false, "Whether an administrator approves each follower")
    },
    channels: { enabled: key(boolean, true, "Whether people of other instances may follow accounts and channels") }
  },
  followings: {
    instance: {
      auto_follow_back: { enabled: key(boolean, false, "Whether followers are followed back") },
      auto_follow_index: {
        enabled: key(boolean, false, "Whether instances of an index are followed"),
        index_url: key(url, "", "Address of that index")
      }
    }
  },
  redundancy: {
    videos: {
      check_interval: key(duration, "1 hour", "Time between two rounds of copying videos of others"),
      strategies: key(
        nullable(
          records(
            Schema.Struct({
              size: Schema.Union([Schema.String, Schema.Int]).check(readable(size)),
              min_lifetime: Schema.String.check(readable(duration)),
              strategy: Schema.Literals(["most-views", "trending", "recently-added"]),
              min_views: Schema.optionalKey(Schema.Int)
            }),
            "{ size, min_lifetime, strategy, min_views }"
          )
        ),
        null,
        "What is copied: strategies are most-views, trending and recently-added"
      )
    }
  },
  remote_redundancy: {
    videos: {
      accept_from: key(
        oneOf(["nobody", "anybody", "followings"]),
        "followings",
        "Whose copies of our videos are used; players fetch from them. Followings: of instances this one follows"
      )
    }
  },
  remote_runners: {
    stalled_jobs: {
      live: key(duration, "30 seconds", "Silence after which a live job goes back to the board"),
      vod: key(duration, "2 minutes", "Silence after which any other job goes back to the board")
    }
  },
  blocklist: { public_log: { enabled: key(boolean, false, "Whether the list of blocked servers is public") } },
  signup: {
    enabled: key(boolean, false, "Whether anybody may register"),
    limit: key(integer(-1), 10, "Users after which registration closes (-1: never)"),
    minimum_age: key(integer(0, 150), 16, "Age asked for at registration"),
    requires_approval: key(boolean, true, "Whether a moderator approves registrations"),
    requires_email_verification: key(boolean, false, "Whether the mail address is verified"),
    filters: {
      cidr: {
        whitelist: key(list(network), [], "Networks that may register; empty: all"),
        blacklist: key(list(network), [], "Networks that may not register")
      }
    }
  }
} as const
