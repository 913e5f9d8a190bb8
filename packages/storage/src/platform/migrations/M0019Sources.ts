/** Sources that take the place of others, and uploads that bring them. */
export const M0019Sources = `
-- False: what the video shows was made from the source before, until the renditions of this one are there.
alter table video_source add column shown boolean not null default true;
-- The video was published when this source took the place of another: its date of publication stays.
alter table video_source add column republishes boolean not null default false;

-- Bytes that the owner gets back when the upload takes the place of a source that is kept.
alter table upload_session add column released bigint not null default 0 check (released >= 0);
`
