import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { useLive } from "../admin/Live.ts"
import { NextAttempt } from "./DeliveryColumns.tsx"
import { errorWords, failureWordsOf } from "./DeliveryWords.ts"
import { HostBadge } from "./HostState.tsx"

const t = text("follows")

type Details = Output<"GET /api/v1/server/federation/hosts/:host">
type WaitingDelivery = Details["deliveries"][number]

const Time = ({ at }: { readonly at: string | null }) =>
  at === null ? <>{t("never")}</> : <time dateTime={at}>{moment(at)}</time>

const Facts = ({ host }: { readonly host: Details }) => {
  const failure = failureWordsOf(host, Date.now())
  return (
    <>
      <dl class="pairs">
        <div>
          <dt>{t("state")}</dt>
          <dd>
            <HostBadge host={host} />
          </dd>
        </div>
        <div>
          <dt>{t("lastAttempt")}</dt>
          <dd>
            <Time at={host.lastAttemptAt} />
          </dd>
        </div>
        <div>
          <dt>{t("lastSuccess")}</dt>
          <dd>
            <Time at={host.lastSuccessAt} />
          </dd>
        </div>
        <div>
          <dt>{t("nextAttempt")}</dt>
          <dd>
            <NextAttempt at={host.nextAttemptAt} />
          </dd>
        </div>
        <div>
          <dt>{t("followersLabel")}</dt>
          <dd>{host.followers}</dd>
        </div>
      </dl>
      {host.lastError !== null && (
        <div class="note">
          <p class="words">{errorWords(host.lastError)}</p>
          {failure !== undefined && <p class="words">{failure}</p>}
          {errorWords(host.lastError) !== host.lastError && <p class="words soft">{host.lastError}</p>}
        </div>
      )}
    </>
  )
}

const Waiting = ({ delivery: it }: { readonly delivery: WaitingDelivery }) => (
  <li>
    <strong>{it.type}</strong>
    <span class="soft">{t("waitsSince", { moment: moment(it.createdAt), attempts: it.attempts })}</span>
    {it.nextAttemptAt !== null && Date.parse(it.nextAttemptAt) > Date.now() && (
      <span class="soft">{t("nextAt", { moment: moment(it.nextAttemptAt) })}</span>
    )}
    {it.lastError !== null && <span>{errorWords(it.lastError)}</span>}
    <code>{it.activity}</code>
  </li>
)

/** What is known of a host, with the deliveries that wait for it; live while it is open. */
export const WaitingDialog = ({ host, onClose }: { readonly host: string; readonly onClose: () => void }) => {
  const details = useLoad(`host ${host}`, (signal) =>
    call("GET /api/v1/server/federation/hosts/:host", { params: { host }, signal })
  )
  useLive(details.again)
  const { data, failure } = details
  return (
    <Dialog title={host} onClose={onClose}>
      <div class="stack host-details">
        {failure !== undefined && <LoadFailure reason={failureWords(failure)} onRetry={() => void details.again()} />}
        {data === undefined && failure === undefined && <Skeleton rows={4} />}
        {data !== undefined && (
          <>
            <Facts host={data} />
            <section>
              <h3>{t("whatWaits")}</h3>
              {data.waiting > data.deliveries.length && (
                <p class="soft">{t("firstOf", { count: data.deliveries.length, total: data.waiting })}</p>
              )}
              {data.waiting === 0 ? (
                <p>{t("nothingWaits")}</p>
              ) : (
                <ol class="host-waiting">
                  {data.deliveries.map((it) => (
                    <Waiting key={`${it.activity} ${it.inbox}`} delivery={it} />
                  ))}
                </ol>
              )}
            </section>
          </>
        )}
      </div>
    </Dialog>
  )
}
