import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { Menu } from "../../ui/Menu.tsx"
import type { Column } from "../../ui/Table.tsx"
import { errorWords, failureWordsOf, type Host, waitingWords } from "./DeliveryWords.ts"
import { HostBadge } from "./HostState.tsx"

const t = text("follows")
const common = text("common")

/** Whether trying a host now could change something. */
export const mayRetry = (host: Host): boolean => host.waiting > 0 || host.failingSince !== null

/** When it is tried again: what should have been by now is under way. */
export const NextAttempt = ({ at }: { readonly at: string | null }) => {
  if (at === null) return <>–</>
  return Date.parse(at) <= Date.now() ? (
    <>{t("now")}</>
  ) : (
    <time class="wraps" dateTime={at}>
      {moment(at)}
    </time>
  )
}

const HostCell = ({ host }: { readonly host: Host }) => {
  const failure = failureWordsOf(host, Date.now())
  return (
    <div class="who">
      <strong>{host.host}</strong>
      <span class="soft">{t("followersThere", { count: host.followers })}</span>
      {host.lastError !== null && <span class="job-error">{errorWords(host.lastError)}</span>}
      {failure !== undefined && <span class="soft">{failure}</span>}
    </div>
  )
}

/** The columns of the list of hosts. */
export const deliveryColumns = (
  onRetry: (host: Host) => void,
  onShow: (host: string) => void
): ReadonlyArray<Column<Host>> => [
  { key: "host", label: t("host"), sort: "host", wide: true, cell: (it) => <HostCell host={it} /> },
  { key: "state", label: t("state"), cell: (it) => <HostBadge host={it} /> },
  { key: "waiting", label: t("waiting"), sort: "waiting", cell: (it) => waitingWords(it) ?? t("nothing") },
  {
    key: "success",
    label: t("lastSuccess"),
    sort: "lastSuccessAt",
    cell: (it) =>
      it.lastSuccessAt === null ? (
        t("never")
      ) : (
        <time class="wraps" dateTime={it.lastSuccessAt}>
          {moment(it.lastSuccessAt)}
        </time>
      )
  },
  { key: "next", label: t("nextAttempt"), cell: (it) => <NextAttempt at={it.nextAttemptAt} /> },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Menu
        label={common("actions", { name: it.host })}
        icon="dots"
        kind="quiet"
        items={[
          ...(mayRetry(it) ? [{ label: t("tryNow"), icon: "retry", onSelect: () => onRetry(it) } as const] : []),
          { label: t("details"), icon: "info", onSelect: () => onShow(it.host) }
        ]}
      />
    )
  }
]
