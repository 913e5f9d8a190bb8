-- Figures of the instance hour by hour, for the plots of administrators. Some are levels, of which the last of an hour
-- stays; others are counts, which grow while the hour lasts. TypeScript knows which is which.
create table instance_sample (
  metric text not null,
  -- When the hour begins.
  hour timestamptz not null,
  value bigint not null,
  primary key (metric, hour)
);
create index instance_sample_hour on instance_sample (hour);
