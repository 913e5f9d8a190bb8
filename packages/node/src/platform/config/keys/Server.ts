import { key } from "../kinds/Key.ts"
import { boolean, integer, nullable, oneOf, pattern, port, secret, text, url } from "../kinds/Kind.ts"
import { color, cssLength } from "../kinds/KindCss.ts"
import { list } from "../kinds/KindLists.ts"
import { duration, size } from "../kinds/KindQuantities.ts"

const window = "Length of the window in which requests of one address are counted"
const most = "Requests of one address answered in a window"

/** Orders of the list of all videos that clients offer. */
export const browseSorts = [
  "-publishedAt",
  "-originallyPublishedAt",
  "-createdAt",
  "-trending",
  "-hot",
  "-best",
  "-likes",
  "-views",
  "-comments",
  "name"
] as const

/** Where and how the node listens, who may ask how often, and what it says about itself on the wire. */
export const server = {
  data_dir: key(text, "./data", "Folder of everything the instance keeps: embedded database, files, logs"),
  root: {
    password: key(
      nullable(secret),
      null,
      "Password of the administrator made on first start; none: one is generated and shown once"
    )
  },
  listen: {
    hostname: key(text, "127.0.0.1", "Address the HTTP server listens on"),
    port: key(port, 9000, "Port the HTTP server listens on")
  },
  webserver: {
    https: key(boolean, false, "Whether the public address is https"),
    hostname: key(
      pattern(/^[^\s/:@]+$|^\[[0-9a-f:]+\]$/i, "a host name without scheme, port or path"),
      "localhost",
      "Public host name. Cannot change once others federate with the instance"
    ),
    port: key(port, 9000, "Port of the public address", "`443` with `webserver.https`, else the value of `listen.port`")
  },
  secrets: {
    peertube: key(
      secret,
      "",
      "Key that seals second factors, feed tokens and queued mail; empty: the one in `<data_dir>/secret.key`"
    )
  },
  rates_limit: {
    api: { window: key(duration, "10 seconds", window), max: key(integer(1), 50, most) },
    login: { window: key(duration, "5 minutes", window), max: key(integer(1), 15, most) },
    signup: {
      window: key(duration, "5 minutes", window),
      max: key(integer(1), 2, "Registrations of one address accepted in a window; failed ones are not counted")
    },
    ask_send_email: { window: key(duration, "5 minutes", window), max: key(integer(1), 3, most) },
    receive_client_log: { window: key(duration, "1 minute", window), max: key(integer(1), 30, most) },
    plugins: { window: key(duration, "10 seconds", window), max: key(integer(1), 500, most) },
    well_known: { window: key(duration, "10 seconds", window), max: key(integer(1), 200, most) },
    feeds: { window: key(duration, "10 seconds", window), max: key(integer(1), 50, most) },
    activity_pub: { window: key(duration, "10 seconds", window), max: key(integer(1), 500, most) },
    client: { window: key(duration, "10 seconds", window), max: key(integer(1), 500, most) },
    download_generate_video: { window: key(duration, "5 seconds", window), max: key(integer(1), 5, most) },
    confirm_token: {
      window: key(duration, "10 minutes", window),
      max: key(integer(1), 10, "Tokens of mails and two-factor requests one address may try in a window")
    },
    video_password: {
      window: key(duration, "5 minutes", "Length of the window in which wrong passwords of a video are counted"),
      max: key(integer(1), 10, "Wrong passwords one address may send for one video in a window")
    },
    create_comment: {
      window: key(duration, "5 minutes", window),
      max: key(integer(1), 30, "Comments one user may write in a window; moderators as many as they like")
    },
    report_abuse: {
      window: key(duration, "1 hour", window),
      max: key(integer(1), 30, "Reports one user may make in a window; moderators as many as they like")
    },
    abuse_message: {
      window: key(duration, "5 minutes", window),
      max: key(integer(1), 20, "Messages about reports one user may write in a window; moderators as many as they like")
    },
    login_lockout: {
      enabled: key(
        boolean,
        true,
        "Whether wrong passwords lock a login out for the rest of the window; its owner receives a mail"
      ),
      window: key(duration, "15 minutes", "Length of the window in which wrong passwords are counted"),
      max: key(
        integer(1),
        10,
        "Wrong passwords of one user in a window before the right one is refused, too, from addresses that had it wrong"
      ),
      max_per_ip: key(integer(1), 50, "Wrong passwords of one address, whoever's, before its logins are refused")
    },
    two_factor: {
      window: key(duration, "15 minutes", window),
      max: key(integer(1), 5, "Wrong one-time codes of one user in a window; then none is looked at until it ends")
    }
  },
  oauth2: {
    token_lifetime: {
      access_token: key(duration, "1 day", "How long an access token is good for"),
      refresh_token: key(duration, "4 weeks", "How long a refresh token is good for")
    }
  },
  trust_proxy: key(
    list(pattern(/^(loopback|linklocal|uniquelocal|[0-9a-f.:]+(\/\d{1,3})?)$/i, "an address, a network or a name")),
    ["loopback"],
    "Proxies whose X-Forwarded-For is believed: addresses, networks (10.0.0.0/8), loopback, linklocal, uniquelocal"
  ),
  http: {
    request_timeout: key(
      duration,
      "30 seconds",
      "Time a client has to send a request outside of uploads; 15 seconds of it at most for the headers"
    ),
    max_reads_at_once: key(
      integer(8),
      256,
      "Reads that are worked on at once, files not counted; those beyond get 503 at once. Visitors may have three quarters of them"
    ),
    body_limit: key(size, "1MB", "Largest request body outside of uploads"),
    shutdown_timeout: key(
      duration,
      "10 seconds",
      "Time that running requests and tasks get when the process is stopped"
    )
  },
  static_files: {
    private_files_require_auth: key(boolean, true, "Whether files of private videos ask for the owner's token")
  },
  csp: {
    enabled: key(boolean, true, "Whether pages carry a Content-Security-Policy"),
    report_only: key(boolean, false, "Whether the policy is only reported, not enforced"),
    report_uri: key(nullable(text), null, "Where browsers report violations of the policy")
  },
  security: {
    frameguard: { enabled: key(boolean, true, "Whether pages other than embeds refuse to be framed") },
    powered_by_header: { enabled: key(boolean, true, "Whether answers carry x-powered-by") },
    confirm_dangerous_acts: key(
      boolean,
      false,
      "Whether deleting users, making administrators and resetting all settings need the password confirmed in the last ten minutes"
    )
  },
  tracker: {
    enabled: key(boolean, true, "Whether the BitTorrent tracker runs"),
    private: key(boolean, true, "Whether the tracker serves only torrents of this instance"),
    reject_too_many_announces: key(boolean, false, "Whether clients that announce too often are refused")
  },
  client: {
    header: { hide_instance_name: key(boolean, false, "Whether the header shows the logo alone") },
    browse_videos: {
      default_sort: key(oneOf(browseSorts), "-publishedAt", "Order of the list of all videos"),
      default_scope: key(
        oneOf(["federated", "local"]),
        "federated",
        "Whether that list shows videos of other instances"
      )
    },
    videos: {
      miniature: {
        prefer_author_display_name: key(boolean, false, "Whether lists show display names instead of handles"),
        display_author_avatar: key(boolean, false, "Whether lists show avatars")
      },
      resumable_upload: {
        max_chunk_size: key(nullable(size), null, "Largest chunk the web page sends in a resumable upload")
      }
    },
    menu: {
      login: {
        redirect_on_single_external_auth: key(
          boolean,
          false,
          "Whether login goes straight to the only external provider"
        )
      }
    }
  },
  webadmin: {
    configuration: {
      edition: { allowed: key(boolean, true, "Whether administrators may change settings in the browser") }
    }
  },
  theme: {
    default: key(text, "default", "Name of the theme of the web page"),
    customization: {
      primary_color: key(nullable(color), null, "Colour of buttons and links"),
      on_primary_color: key(nullable(color), null, "Colour of text on the primary colour"),
      foreground_color: key(nullable(color), null, "Colour of text"),
      background_color: key(nullable(color), null, "Colour of the page"),
      background_secondary_color: key(nullable(color), null, "Colour of cards and fields on the page"),
      menu_foreground_color: key(nullable(color), null, "Colour of text in the menu"),
      menu_background_color: key(nullable(color), null, "Colour of the menu"),
      menu_border_radius: key(nullable(cssLength), null, "Corner radius of the menu"),
      header_foreground_color: key(nullable(color), null, "Colour of text in the header"),
      header_background_color: key(nullable(color), null, "Colour of the header"),
      input_border_radius: key(nullable(cssLength), null, "Corner radius of fields")
    }
  },
  feeds: {
    videos: { count: key(integer(1, 200), 20, "Entries of a video feed") },
    comments: { count: key(integer(1, 200), 20, "Entries of a comment feed") }
  },
  plugins: {
    index: {
      enabled: key(boolean, false, "Whether the list of plugins is asked for: a call to another host"),
      check_latest_versions_interval: key(duration, "4 hours", "Time between two looks for newer plugins"),
      url: key(url, "https://packages.joinpeertube.org", "Address of the plugin list")
    }
  },
  peertube: {
    check_latest_version: {
      enabled: key(boolean, false, "Whether the newest version is asked for: a call to another host"),
      url: key(url, "https://joinpeertube.org/api/v1/versions.json", "Address of the newest version's number")
    }
  },
  geo_ip: {
    enabled: key(boolean, false, "Whether viewers are counted by country: downloads a database"),
    country: {
      database_url: key(
        url,
        "https://dbip.mirror.framasoft.org/files/dbip-country-lite-latest.mmdb",
        "Address of the country database (mmdb)"
      )
    },
    city: {
      database_url: key(
        url,
        "https://dbip.mirror.framasoft.org/files/dbip-city-lite-latest.mmdb",
        "Address of the city database (mmdb)"
      )
    }
  },
  broadcast_message: {
    enabled: key(boolean, false, "Whether clients show a message"),
    message: key(text, "", "The message, in Markdown"),
    level: key(oneOf(["info", "warning", "error"]), "info", "Look of the message"),
    dismissable: key(boolean, false, "Whether the message can be closed")
  }
} as const
