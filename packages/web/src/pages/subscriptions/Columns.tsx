import { text } from "../../i18n/Text.ts"
import { day, moment } from "../../i18n/Units.ts"
import { Avatar } from "../../ui/Avatar.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { Badge } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { type Followed, type Group, handleOf } from "./Groups.ts"

const t = text("mySubscriptions")
const common = text("common")

const Channel = ({ channel }: { readonly channel: Followed }) => (
  <div class="followed">
    <Avatar name={channel.displayName} pictures={channel.avatars} size={40} />
    <div class="rows-words">
      <a href={`/c/${handleOf(channel)}`} dir="auto">
        {channel.displayName}
      </a>
      <span>{handleOf(channel)}</span>
    </div>
  </div>
)

/** The columns of the list of channels. */
export const columns = (
  groups: ReadonlyArray<Group>,
  acts: { readonly onGroups: (channel: Followed) => void; readonly onUnsubscribe: (channel: Followed) => void }
): ReadonlyArray<Column<Followed>> => [
  { key: "channel", label: t("channel"), wide: true, cell: (it) => <Channel channel={it} /> },
  {
    key: "groups",
    label: t("groups"),
    cell: (it) => {
      const its = groups.filter(({ channels }) => channels.includes(handleOf(it)))
      return (
        its.length > 0 && (
          <span class="followed-groups">
            {its.map(({ id, name }) => (
              <Badge key={id}>{name}</Badge>
            ))}
          </span>
        )
      )
    }
  },
  {
    key: "latest",
    label: t("latest"),
    sort: "latestVideoAt",
    cell: ({ latestVideoAt }) =>
      latestVideoAt === null ? (
        <span class="soft">{t("noVideo")}</span>
      ) : (
        <time dateTime={latestVideoAt} title={moment(latestVideoAt)}>
          {day(latestVideoAt)}
        </time>
      )
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Menu
        label={common("actions", { name: it.displayName })}
        icon="dots"
        kind="quiet"
        items={[
          { label: t("chooseGroups"), icon: "layers", onSelect: () => acts.onGroups(it) },
          { label: t("unsubscribe"), icon: "close", danger: true, onSelect: () => acts.onUnsubscribe(it) }
        ]}
      />
    )
  }
]
