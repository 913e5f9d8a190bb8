import { constraints } from "@kinora/domain/enums/Constraints"
import { PlaylistPrivacy, playlistPrivacyLabels } from "@kinora/domain/enums/PlaylistPrivacy"
import { type Html, html } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"

const { description, displayName } = constraints.playlist

const noScript = html`<noscript><p class="outcome">This page needs JavaScript to talk to the server.</p></noscript>`

const outcome = html`<p class="outcome" role="status" aria-live="polite" tabindex="-1"></p>`

/** The fields of a playlist, with descriptions of the privacy settings. The browser fills in the channels. */
const fields = html`<p class="field">
    <label for="playlist-name">Name</label>
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
    <label for="playlist-description">Description</label>
    <textarea
      id="playlist-description"
      name="description"
      rows="3"
      minlength="${description.min}"
      maxlength="${description.max}"
    ></textarea>
  </p>
  <p class="field">
    <label for="playlist-privacy">Who may see it</label>
    <select id="playlist-privacy" name="privacy">
      <option value="${PlaylistPrivacy.private}" selected>${playlistPrivacyLabels[3]}: only you</option>
      <option value="${PlaylistPrivacy.unlisted}">${playlistPrivacyLabels[2]}: who has the link</option>
      <option value="${PlaylistPrivacy.public}">${playlistPrivacyLabels[1]}: everybody, in a channel</option>
    </select>
  </p>
  <p class="field">
    <label for="playlist-channel">Channel</label>
    <select id="playlist-channel" name="videoChannelId">
      <option value="">None</option>
    </select>
  </p>
  <p class="field">
    <label for="playlist-picture">Picture</label>
    <input id="playlist-picture" name="thumbnailfile" type="file" accept=".jpg,.jpeg,.png,.webp" />
    <span class="hint">Without one, the picture of the first video stands for the playlist.</span>
  </p>`

/** The playlists of the logged-in user, filled in by the browser. */
export const myPlaylistsPage = (surroundings: Surroundings): Html =>
  layout(surroundings, {
    title: "My playlists",
    entry: "site",
    head: noIndex,
    body: html`<div class="library" data-my-playlists>
      <div class="page-head"><h1>My playlists</h1></div>
      ${outcome}${noScript}
      <div data-loaded hidden>
        <details class="maker">
          <summary class="button">New playlist</summary>
          <form class="form" data-create>
            ${fields}
            <p class="outcome" role="status" aria-live="polite" tabindex="-1"></p>
            <button class="button" type="submit">Create</button>
          </form>
        </details>
        <ul class="shelf" data-list></ul>
      </div>
      <p class="loading" data-loading role="status" hidden>Loading…</p>
    </div>`
  })

/** One of the user's playlists, where videos can be reordered. */
export const myPlaylistPage = (surroundings: Surroundings): Html =>
  layout(surroundings, {
    title: "Playlist",
    entry: "site",
    head: noIndex,
    body: html`<div class="library" data-my-playlist>
      <p class="back"><a href="/my-library/video-playlists">My playlists</a></p>
      <div class="page-head">
        <h1 dir="auto" data-title>Playlist</h1>
        <p data-summary></p>
      </div>
      ${outcome}${noScript}
      <div data-loaded hidden>
        <p class="library-actions"><a class="button" data-play href="/">Play</a></p>
        <details class="maker" data-settings>
          <summary class="button quiet">Change name, privacy or picture</summary>
          <form class="form" data-edit>
            ${fields}
            <p class="outcome" role="status" aria-live="polite" tabindex="-1"></p>
            <button class="button" type="submit">Save</button>
            <button class="button danger" type="button" data-delete>Delete this playlist</button>
          </form>
        </details>
        <p class="hint" id="order-hint">
          Drag the handles, or focus one and press the arrow keys, to change the order.
        </p>
        <ol class="order" data-elements></ol>
        <p class="none" data-nothing hidden>
          There is nothing in this playlist yet. Choose “Save” below a video to put it here.
        </p>
        <button class="more" type="button" data-more hidden>Show more</button>
        <p class="sr" role="status" aria-live="assertive" data-status></p>
      </div>
      <p class="loading" data-loading role="status" hidden>Loading…</p>
    </div>`
  })
