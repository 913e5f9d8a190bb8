import { constraints } from "@kinora/domain/enums/Constraints"
import { PlaylistPrivacy } from "@kinora/domain/enums/PlaylistPrivacy"
import { type Html, html } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { needsScript } from "./FormParts.ts"
import { noIndex } from "./Metadata.ts"

const { description, displayName } = constraints.playlist

const outcome = html`<p class="outcome" role="status" aria-live="polite" tabindex="-1"></p>`

/** The fields of a playlist, with descriptions of the privacy settings. The browser fills in the channels. */
const fields = ({ language }: Surroundings): Html => {
  const t = language.text("library")
  const privacy = language.text("labels")
  return html`<p class="field">
      <label for="playlist-name">${t("name")}</label>
      <input
        id="playlist-name"
        name="displayName"
        type="text"
        required
        maxlength="${displayName.max}"
        autocomplete="off"
      />
    </p>
    <p class="field">
      <label for="playlist-description">${t("description")}</label>
      <textarea
        id="playlist-description"
        name="description"
        rows="3"
        minlength="${description.min}"
        maxlength="${description.max}"
      ></textarea>
    </p>
    <p class="field">
      <label for="playlist-privacy">${t("privacy")}</label>
      <select id="playlist-privacy" name="privacy">
        <option value="${PlaylistPrivacy.private}" selected>
          ${privacy("playlistPrivacy", { id: PlaylistPrivacy.private })}
        </option>
        <option value="${PlaylistPrivacy.unlisted}">
          ${privacy("playlistPrivacy", { id: PlaylistPrivacy.unlisted })}
        </option>
        <option value="${PlaylistPrivacy.public}">${privacy("playlistPrivacy", { id: PlaylistPrivacy.public })}</option>
      </select>
    </p>
    <p class="field">
      <label for="playlist-channel">${t("channel")}</label>
      <select id="playlist-channel" name="videoChannelId">
        <option value="">${t("none")}</option>
      </select>
    </p>
    <p class="field">
      <label for="playlist-picture">${t("picture")}</label>
      <input id="playlist-picture" name="thumbnailfile" type="file" accept=".jpg,.jpeg,.png,.webp" />
      <span class="hint">${t("pictureHint")}</span>
    </p>`
}

/** The playlists of the logged-in user, filled in by the browser. */
export const myPlaylistsPage = (surroundings: Surroundings): Html => {
  const t = surroundings.language.text("library")
  return layout(surroundings, {
    title: t("mine"),
    entry: "site",
    head: noIndex,
    body: html`<div class="library" data-my-playlists>
      <div class="page-head"><h1>${t("mine")}</h1></div>
      ${outcome}${needsScript(surroundings)}
      <div data-loaded hidden>
        <details class="maker">
          <summary class="button">${t("make")}</summary>
          <form class="form" data-create>
            ${fields(surroundings)}
            <p class="outcome" role="status" aria-live="polite" tabindex="-1"></p>
            <button class="button" type="submit">${t("create")}</button>
          </form>
        </details>
        <ul class="shelf" data-list></ul>
      </div>
      <p class="loading" data-loading role="status" hidden>${surroundings.language.text("common")("loading")}</p>
    </div>`
  })
}

/** One of the user's playlists, where videos can be reordered. */
export const myPlaylistPage = (surroundings: Surroundings): Html => {
  const t = surroundings.language.text("library")
  return layout(surroundings, {
    title: t("playlist"),
    entry: "site",
    head: noIndex,
    body: html`<div class="library" data-my-playlist>
      <p class="back"><a href="/my-library/video-playlists">${t("mine")}</a></p>
      <div class="page-head">
        <h1 dir="auto" data-title>${t("playlist")}</h1>
        <p data-summary></p>
      </div>
      ${outcome}${needsScript(surroundings)}
      <div data-loaded hidden>
        <p class="library-actions"><a class="button" data-play href="/">${t("play")}</a></p>
        <details class="maker" data-settings>
          <summary class="button quiet">${t("change")}</summary>
          <form class="form" data-edit>
            ${fields(surroundings)}
            <p class="outcome" role="status" aria-live="polite" tabindex="-1"></p>
            <button class="button" type="submit">${t("save")}</button>
            <button class="button danger" type="button" data-delete>${t("remove")}</button>
          </form>
        </details>
        <p class="hint" id="order-hint">${t("orderHint")}</p>
        <ol class="order" data-elements></ol>
        <p class="none" data-nothing hidden>${t("nothing")}</p>
        <button class="more" type="button" data-more hidden>${surroundings.language.text("common")("showMore")}</button>
        <p class="sr" role="status" aria-live="assertive" data-status></p>
      </div>
      <p class="loading" data-loading role="status" hidden>${surroundings.language.text("common")("loading")}</p>
    </div>`
  })
}
