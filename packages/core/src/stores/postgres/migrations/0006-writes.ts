import type { Migration } from "./migration.ts";

/**
 * The writes that happen all the time, as functions: a connection plans what a function does once and not with each
 * call, and one call does what would take several. Each says first what it gives.
 */
export const migration: Migration = {
  number: 6,
  name: "writes",
  sql: (schema) => `
-- Whether the line was added: the log must be this writer's, and end where the writer believes.
create function ${schema}.append_entry(
  in_log bigint, in_epoch bigint, in_writer text, in_former_seq bigint, in_last_seq bigint, in_line bytea
) returns boolean language plpgsql as $$
declare
  at_place bigint;
begin
  update ${schema}.log set last_seq = in_last_seq, bytes = bytes + length(in_line), entries = entries + 1,
    modified_at = clock_timestamp()
  where id = in_log and epoch = in_epoch and writer = in_writer and last_seq = in_former_seq
  returning bytes - length(in_line) into at_place;
  if not found then return false; end if;
  insert into ${schema}.entry (log_id, place, line) values (in_log, at_place, in_line);
  return true;
end $$;

-- The same for several lines, and for what they say about their log.
create function ${schema}.append_entries(
  in_log bigint, in_epoch bigint, in_writer text, in_former_seq bigint, in_last_seq bigint, in_lines bytea,
  in_starts int[], in_lengths int[], in_listing bytea
) returns boolean language plpgsql as $$
declare
  at_place bigint;
begin
  update ${schema}.log set last_seq = in_last_seq, bytes = bytes + length(in_lines),
    entries = entries + cardinality(in_starts), listing = coalesce(in_listing, listing),
    modified_at = clock_timestamp()
  where id = in_log and epoch = in_epoch and writer = in_writer and last_seq = in_former_seq
  returning bytes - length(in_lines) into at_place;
  if not found then return false; end if;
  insert into ${schema}.entry (log_id, place, line)
  select in_log, at_place + piece.start, substr(in_lines, piece.start + 1, piece.length)
  from unnest(in_starts, in_lengths) as piece (start, length);
  return true;
end $$;

-- The epoch of a lease that nobody had, or that this very token has; null where somebody else has it.
create function ${schema}.claim_lease(
  in_project text, in_name text, in_token text, in_holder bytea, in_above bigint
) returns bigint language plpgsql as $$
declare
  taken bigint;
begin
  insert into ${schema}.lease as present (project, name, epoch, token, holder, heartbeat_at)
  values (in_project, in_name, in_above + 1, in_token, in_holder, clock_timestamp())
  on conflict (project, name) do update set
    epoch = case when present.token = in_token then present.epoch else greatest(present.epoch, in_above) + 1 end,
    token = in_token, holder = in_holder, heartbeat_at = clock_timestamp()
  where present.token is null or present.token = in_token
  returning present.epoch into taken;
  return taken;
end $$;

-- A row of the log alone, then its lines unless they are more than so many bytes; nothing where there is no log.
create function ${schema}.look_at_log(in_project text, in_session text, in_most_bytes bigint) returns table (
  id bigint, epoch bigint, last_seq bigint, bytes bigint, format int, listing bytea, damaged_lines bigint,
  place bigint, line bytea
) language plpgsql stable as $$
#variable_conflict use_column
declare
  seen record;
begin
  select l.id, l.epoch, l.last_seq, l.bytes, l.format, l.listing, l.damaged_lines into seen from ${schema}.log as l
  where l.project = in_project and l.session = in_session;
  if not found then return; end if;
  return query select seen.id, seen.epoch, seen.last_seq, seen.bytes, seen.format, seen.listing,
    seen.damaged_lines, null::bigint, null::bytea;
  if seen.bytes > in_most_bytes then return; end if;
  return query select null::bigint, null::bigint, null::bigint, null::bigint, null::int, null::bytea,
    null::bigint, e.place, e.line
  from ${schema}.entry as e where e.log_id = seen.id and e.place < seen.bytes order by e.place;
end $$;

-- The epoch of the lease, null where somebody else has it; and whether the log was taken with it and the line added, as
-- it is only if the log is as it was seen, and the epoch the one that the line names.
create function ${schema}.open_log(
  in_project text, in_session text, in_token text, in_holder bytea, in_above bigint,
  in_log bigint, in_former_epoch bigint, in_former_seq bigint, in_former_bytes bigint,
  in_epoch bigint, in_last_seq bigint, in_line bytea
) returns table (lease_epoch bigint, is_open boolean) language plpgsql as $$
declare
  taken bigint := ${schema}.claim_lease(in_project, in_session, in_token, in_holder, in_above);
begin
  if taken is distinct from in_epoch then return query select taken, false; return; end if;
  update ${schema}.log set epoch = taken, writer = in_token, last_seq = in_last_seq,
    bytes = bytes + length(in_line), entries = entries + 1, modified_at = clock_timestamp()
  where id = in_log and epoch = in_former_epoch and last_seq = in_former_seq and bytes = in_former_bytes;
  if found then
    insert into ${schema}.entry (log_id, place, line) values (in_log, in_former_bytes, in_line);
    return query select taken, true;
  else
    -- The same call may have done it before, and its answer was lost.
    return query select taken, exists (
      select from ${schema}.log
      where id = in_log and epoch = taken and writer = in_token and last_seq = in_last_seq);
  end if;
end $$;

-- A log made with its first line, and the epoch of its lease; no row where somebody has the lease, and no id where the
-- epoch is not the one that the line names, or where there is a log already that this token has not made.
create function ${schema}.make_log(
  in_project text, in_session text, in_token text, in_holder bytea, in_above bigint, in_epoch bigint,
  in_seq bigint, in_format int, in_listing bytea, in_line bytea
) returns table (lease_epoch bigint, id bigint) language plpgsql as $$
#variable_conflict use_column
declare
  taken bigint;
  made bigint;
begin
  taken := ${schema}.claim_lease(in_project, in_session, in_token, in_holder, in_above);
  if taken is null then return; end if;
  if taken = in_epoch then
    insert into ${schema}.project (slug) values (in_project) on conflict do nothing;
    insert into ${schema}.log as present
      (project, session, epoch, writer, last_seq, bytes, entries, format, listing)
    values (in_project, in_session, taken, in_token, in_seq, length(in_line), 1, in_format, in_listing)
    on conflict (project, session) do update set writer = present.writer where present.writer = in_token
    returning present.id into made;
    if found then
      insert into ${schema}.entry (log_id, place, line) values (made, 0, in_line) on conflict do nothing;
    end if;
  end if;
  return query select taken, made;
end $$;

-- The number of the new version; null where the file is not as expected.
create function ${schema}.put_version(
  in_project text, in_tree text, in_path bytea, in_expected bigint, in_may_be_first boolean, in_removed boolean,
  in_token text, in_at text, in_about bytea, in_sha256 text, in_content bytea
) returns bigint language plpgsql as $$
declare
  made bigint;
begin
  update ${schema}.tree_file as f set version = f.version + 1, is_removed = in_removed
  where f.project = in_project and f.tree = in_tree and f.path = in_path
    and (in_expected is null or in_expected = f.version or (in_expected = 0 and f.is_removed))
    and not (in_removed and f.is_removed)
  returning f.version into made;
  if not found then
    if not in_may_be_first then return null; end if;
    insert into ${schema}.tree_file (project, tree, path, version, is_removed)
    values (in_project, in_tree, in_path, 1, false)
    on conflict do nothing returning version into made;
    if not found then return null; end if;
  end if;
  insert into ${schema}.tree_version
    (project, tree, path, version, token, at, about, sha256, is_removed, content)
  values (in_project, in_tree, in_path, made, in_token, in_at, in_about, in_sha256, in_removed, in_content);
  return made;
end $$;

-- Whether the mail is new. The lane is held until the mail is there: numbers are seen in their order. A mail that is
-- known takes one for nothing.
create function ${schema}.send_mail(
  in_project text, in_receiver text, in_sender text, in_id text, in_content bytea
) returns boolean language plpgsql as $$
declare
  number bigint;
begin
  insert into ${schema}.mail_lane as l (project, receiver, sender, last)
  values (in_project, in_receiver, in_sender, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  on conflict (project, receiver, sender) do update set last = greatest(l.last + 1, excluded.last)
  returning l.last into number;
  insert into ${schema}.mail (project, receiver, id, sender, seq, content)
  values (in_project, in_receiver, in_id, in_sender, number, in_content)
  on conflict do nothing;
  return found;
end $$;

-- How many of the mails are new.
create function ${schema}.send_mails(
  in_project text, in_receiver text, in_senders text[], in_ids text[], in_contents bytea[]
) returns int language plpgsql as $$
declare
  added int := 0;
begin
  for at in 1 .. cardinality(in_ids) loop
    if ${schema}.send_mail(in_project, in_receiver, in_senders[at], in_ids[at], in_contents[at]) then
      added := added + 1;
    end if;
  end loop;
  return added;
end $$;

-- Each sender's mails in order and senders in turn, none of a sender of whom another reader has mail. Those that
-- another reader is taking at this moment are passed over, and with them all later ones of the same sender.
create function ${schema}.take_mail(
  in_project text, in_receiver text, in_reader text, in_limit bigint, in_identity bytea, in_beat_ms float8
) returns table (id text, sender text, seq bigint, content bytea, accepted_ms float8, age_ms float8)
language plpgsql as $$
#variable_conflict use_column
declare
  one record;
  held record;
  lost text[] := '{}';
  has_taken boolean := false;
  has_begun boolean := exists (
    select from ${schema}.mail
    where project = in_project and receiver = in_receiver and acknowledged is null and reader = in_reader);
begin
  for one in
    select offered.id, offered.sender from (
      select lanes.id, lanes.sender, lanes.is_begun,
        row_number() over (partition by lanes.sender order by lanes.seq) as turn
      from (
        select m.id, m.sender, m.seq,
          coalesce(bool_or(m.reader = in_reader) over (partition by m.sender), false) as is_begun,
          coalesce(bool_or(m.reader <> in_reader) over (partition by m.sender), false) as is_busy
        from ${schema}.mail as m
        where m.project = in_project and m.receiver = in_receiver and m.acknowledged is null) as lanes
      where not lanes.is_busy) as offered
    order by offered.turn, offered.is_begun desc, offered.sender limit in_limit
  loop
    continue when one.sender = any (lost);
    select m.seq, m.content, m.reader, m.accepted into held from ${schema}.mail as m
    where m.project = in_project and m.receiver = in_receiver and m.id = one.id and m.sender = one.sender
      and m.acknowledged is null and (m.reader is null or m.reader = in_reader)
    for update skip locked;
    if not found then
      lost := lost || one.sender;
      continue;
    end if;
    if held.reader is null then
      update ${schema}.mail as m set reader = in_reader
      where m.project = in_project and m.receiver = in_receiver and m.id = one.id and m.sender = one.sender;
      has_taken := true;
    end if;
    id := one.id;
    sender := one.sender;
    seq := held.seq;
    content := held.content;
    accepted_ms := floor(extract(epoch from held.accepted) * 1000);
    age_ms := extract(epoch from clock_timestamp() - held.accepted) * 1000;
    return next;
  end loop;
  if has_taken or (has_begun and not exists (
    select from ${schema}.mail_reader
    where project = in_project and receiver = in_receiver and reader = in_reader
      and heartbeat > clock_timestamp() - in_beat_ms * interval '1 millisecond'))
  then
    insert into ${schema}.mail_reader (project, receiver, reader, identity, heartbeat)
    values (in_project, in_receiver, in_reader, in_identity, clock_timestamp())
    on conflict (project, receiver, reader)
      do update set identity = excluded.identity, heartbeat = excluded.heartbeat;
  end if;
end $$;
`,
};
