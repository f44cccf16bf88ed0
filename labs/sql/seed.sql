-- Fills the tables; the same rows each time (setseed), in seconds.
select setseed(0.42);

insert into category values (1, 'FARM'), (2, 'GAME'), (3, 'TOOL');

insert into app
select i, 1 + i % 3, 'App ' || i, 'Developer ' || i % 400, 'https://icons.example/' || md5(i::text) || '.png',
       'What app ' || i || ' does, in one line: ' || repeat(md5((i + 7)::text), 4), (i % 5) * 1000,
       case when i % 10 = 0 then 'DRAFT' else 'RELEASED' end,
       timestamptz '2024-01-01' + i * interval '3 hours',
       timestamptz '2025-01-01' + random() * interval '200 days',
       (select string_agg(md5((i * 1000 + part)::text), '') from generate_series(1, 118) part)
from generate_series(1, 3000) i;

insert into review
select i, 1 + floor(3000 * random() ^ 1.5)::int, 1 + floor(3000 * random())::int, 1 + floor(5 * random() ^ 0.6)::int,
       'review ' || md5(i::text), timestamptz '2025-01-01' + random() * interval '200 days'
from generate_series(1, 100000) i;

insert into download
select i, 1 + floor(3000 * random() ^ 1.5)::int, 1 + floor(3000 * random())::int,
       timestamptz '2025-01-01' + random() * interval '200 days'
from generate_series(1, 100000) i;

insert into member select i, 'member ' || i from generate_series(1, 3000) i;

insert into problem select i, 'problem ' || i from generate_series(1, 1000) i;
insert into submission
select i, 1 + floor(3000 * random())::int, 1 + floor(1000 * random())::int,
       (array['java', 'python', 'cpp', 'kotlin'])[1 + i % 4],
       (array['accepted', 'wrong answer', 'time limit'])[1 + floor(3 * random())::int],
       floor(2000 * random())::int, 1000 + floor(60000 * random())::int
from generate_series(1, 100000) i;

insert into content select i, 'content ' || i, repeat('A day in ' || i || '. ', 30), 0 from generate_series(1, 3000) i;
insert into place
select i, 1 + (i - 1) / 17, 'place ' || i, 'street ' || i % 900 || ', town ' || i % 70
from generate_series(1, 51000) i;
insert into place_category
select i, 1 + (i * 17) % 51000, (array['food', 'view', 'stay', 'walk'])[1 + i % 4] from generate_series(1, 15000) i;
insert into favorite_content
select 1 + floor(3000 * random())::int, 1 + floor(3000 * random())::int from generate_series(1, 60000) i;
insert into favorite_place
select distinct on (member_id, place_id) member_id, place_id
from (select 1 + floor(3000 * random())::int as member_id, 1 + floor(51000 * random())::int as place_id
      from generate_series(1, 225600) i) pairs
limit 225000;

insert into queue select 'queue-' || i from generate_series(1, 10) i;

create index review_app on review (app_id);
create index download_app on download (app_id);
create index app_created on app (created_at desc);
create index app_updated on app (updated_at desc);
create index place_content on place (content_id);
create index place_category_place on place_category (place_id);
create index favorite_content_content on favorite_content (content_id, member_id);
create index favorite_place_member on favorite_place (member_id, place_id);

-- Case A, third round. The unique index is what "refresh concurrently" needs.
create materialized view app_ranking as
select a.id as app_id,
       (select avg(r.rating) from review r where r.app_id = a.id) as rating,
       (select count(*) from download d where d.app_id = a.id) as downloads
from app a;
create unique index app_ranking_app on app_ranking (app_id);

vacuum analyze;
