-- The tables of cases A to E. Sizes are the cases' own (seed.sql).

-- Case A: app store.
create table category (id int primary key, name text not null unique);
create table app (
    id int primary key,
    category_id int not null references category,
    name text not null,
    developer text not null,
    icon_url text not null,
    summary text not null,
    price int not null,
    status text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    detail text not null
);
create table review (
    id int primary key,
    app_id int not null references app,
    member_id int not null,
    rating int not null check (rating between 1 and 5),
    body text not null,
    created_at timestamptz not null
);
create table download (
    id int primary key,
    app_id int not null references app,
    member_id int not null,
    created_at timestamptz not null
);

-- Cases B and D share the members.
create table member (id int primary key, name text not null);

-- Case B: deers. Neither the user nor the deer id is generated: both come from the caller.
create table deer (
    id bigint primary key,
    user_id bigint not null,
    data text not null,
    reference text
);

-- Case C: submissions.
create table problem (id int primary key, title text not null);
create table submission (
    id int primary key,
    member_id int not null,
    problem_id int not null,
    language text not null,
    status text not null,
    time_ms int not null,
    memory_kb int not null
);

-- Case D: travel contents.
create table content (id int primary key, title text not null, body text not null, likes int not null default 0);
create table place (
    id int primary key,
    content_id int not null references content,
    name text not null,
    address text not null
);
create table place_category (id int primary key, place_id int not null references place, name text not null);
create table favorite_content (member_id int not null, content_id int not null);
create table favorite_place (member_id int not null, place_id int not null);

-- Case E: queues.
create table queue (name text primary key);
