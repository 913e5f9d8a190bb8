import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment, number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Empty } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { act } from "../admin/Acts.ts"
import { ListView, perPage, startOfPage } from "../admin/ListView.tsx"

const t = text("runners")

type Token = Output<"GET /api/v1/runners/registration-tokens">["data"][number]

const copy = async (token: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(token)
    toast(t("copied"))
  } catch {
    toast(t("notCopied"), "failed")
  }
}

const remove = async ({ id, registeredRunnersCount }: Token): Promise<boolean> => {
  const yes = await confirm({
    title: t("deleteTokenTitle"),
    text: t("deleteTokenText", { count: registeredRunnersCount }),
    action: t("delete"),
    danger: true
  })
  return (
    yes &&
    (await act(
      call("DELETE /api/v1/runners/registration-tokens/:registrationTokenId", { params: { registrationTokenId: id } }),
      t("tokenDeleted")
    ))
  )
}

const columns = (onDelete: (token: Token) => void): ReadonlyArray<Column<Token>> => [
  {
    key: "token",
    label: t("token"),
    wide: true,
    cell: (it) => (
      <span class="token">
        <code>{it.registrationToken}</code>
        <Button
          kind="quiet"
          small
          icon="copy"
          label={t("copyToken", { id: it.id })}
          onClick={() => void copy(it.registrationToken)}
        />
      </span>
    )
  },
  { key: "runners", label: t("runners"), align: "end", cell: (it) => number(it.registeredRunnersCount) },
  {
    key: "createdAt",
    label: t("created"),
    cell: (it) => <time dateTime={it.createdAt}>{moment(it.createdAt)}</time>
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Button kind="quiet" small icon="trash" label={t("deleteToken", { id: it.id })} onClick={() => onDelete(it)} />
    )
  }
]

/** What runners register with. */
export const Tokens = () => {
  const start = startOfPage()
  const list = useLoad(`tokens ${start}`, (signal) =>
    call("GET /api/v1/runners/registration-tokens", { query: { sort: "-createdAt", start, count: perPage }, signal })
  )
  const create = async (): Promise<void> => {
    if (await act(call("POST /api/v1/runners/registration-tokens/generate"), t("tokenMade"))) await list.again()
  }
  const onDelete = async (token: Token): Promise<void> => {
    if (await remove(token)) await list.again()
  }
  return (
    <ListView
      label={t("tokens")}
      list={list}
      columns={columns((token) => void onDelete(token))}
      keyOf={(it) => String(it.id)}
      nameOf={(it) => String(it.id)}
      tools={
        <>
          <Button kind="primary" icon="plus" onClick={() => void create()}>
            {t("makeToken")}
          </Button>
          <span class="soft">{t("tokensHelp")}</span>
        </>
      }
      empty={<Empty icon="server" title={t("noTokensTitle")} text={t("noTokensText")} />}
    />
  )
}
