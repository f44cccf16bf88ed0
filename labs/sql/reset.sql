-- Back to the state after seed.sql, whatever a trial or a switch left behind.
truncate deer;
update content set likes = 0 where likes <> 0;
create index if not exists favorite_place_member on favorite_place (member_id, place_id);
select pg_stat_statements_reset();
