import { text } from "../../i18n/Text.ts"
import { Badge } from "../../ui/States.tsx"
import { type Host, stateWords } from "./DeliveryWords.ts"

const t = text("follows")

const kinds: Readonly<Record<Host["state"], "good" | "plain" | "warn" | "bad">> = {
  well: "good",
  unknown: "plain",
  resting: "warn",
  failing: "bad",
  unavailable: "bad"
}

/** The state of deliveries to a host. */
export const HostBadge = ({ host }: { readonly host: Host }) => (
  <Badge kind={kinds[host.state]}>{stateWords(host)}</Badge>
)

/** The same beside a follow, as the way to what is known of the host. */
export const DeliveryBadge = ({ host }: { readonly host: Host | undefined }) =>
  host === undefined ? (
    <span class="soft one-line">{t("nothingSent")}</span>
  ) : (
    <a
      class="host-badge"
      href={`/admin/follows?tab=delivery&search=${encodeURIComponent(host.host)}`}
      aria-label={t("deliveryOf", { host: host.host, state: stateWords(host) })}
    >
      <HostBadge host={host} />
    </a>
  )
