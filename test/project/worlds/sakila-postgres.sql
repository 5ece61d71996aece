create type mpaa_rating as enum ('G', 'PG', 'PG-13', 'R', 'NC-17');
create domain year as integer check (value >= 1901 and value <= 2155);
create table actor (actor_id serial primary key, first_name text not null, last_name text not null,
  last_update timestamptz not null default now());
create index idx_actor_last_name on actor (last_name);
create table country (country_id serial primary key, country text not null,
  last_update timestamptz not null default now());
create table city (city_id serial primary key, city text not null,
  country_id integer not null references country, last_update timestamptz not null default now());
create index idx_fk_country_id on city (country_id);
create table language (language_id integer generated always as identity primary key,
  name char(20) not null, last_update timestamptz not null default now());
create table category (category_id serial primary key, name text not null);
create table film (film_id serial primary key, title text not null, description text,
  release_year year, language_id integer not null references language,
  original_language_id integer references language, rental_duration smallint not null default 3,
  rental_rate numeric(4,2) not null default 4.99, length smallint,
  replacement_cost numeric(5,2) not null default 19.99, rating mpaa_rating default 'G',
  last_update timestamptz not null default now(), special_features text[], fulltext tsvector);
create index idx_title on film (title collate "C");
create table film_actor (actor_id integer not null references actor,
  film_id integer not null references film, primary key (actor_id, film_id));
create table film_category (film_id integer not null references film,
  category_id integer not null references category, primary key (film_id, category_id));
create table store (store_id serial primary key, manager_staff_id integer not null);
create table staff (staff_id serial primary key, first_name text not null, email text,
  store_id integer not null, active boolean not null default true, username text not null,
  password text, picture bytea);
create table customer (customer_id serial primary key, store_id integer not null references store,
  first_name text not null, email text, activebool boolean not null default true,
  create_date date not null default current_date, active integer);
create table inventory (inventory_id serial primary key, film_id integer not null references film,
  store_id integer not null references store);
create table rental (rental_id serial primary key, rental_date timestamptz not null,
  inventory_id integer not null references inventory,
  customer_id integer not null references customer, return_date timestamptz);
create table payment (payment_id serial, customer_id integer not null references customer,
  rental_id integer not null references rental, amount numeric(5,2) not null,
  payment_date timestamptz not null, primary key (payment_date, payment_id)
) partition by range (payment_date);
create table payment_p2022_01 partition of payment
  for values from ('2022-01-01') to ('2022-02-01');
create view customer_list as select customer_id as id, first_name as name from customer;
create view film_list as select film_id as fid, title from film;
insert into actor (first_name, last_name) values ('PENELOPE', 'GUINESS'), ('NICK', 'WAHLBERG');
insert into country (country) values ('Afghanistan'), ('Algeria');
insert into city (city, country_id) values ('Kabul', 1), ('Batna', 2);
insert into language (name) values ('English'), ('Italian');
insert into category (name) values ('Action'), ('Animation');
insert into film (title, release_year, language_id, special_features) values
  ('ACADEMY DINOSAUR', 2006, 1, '{Trailers}'), ('ACE GOLDFINGER', 2006, 1, null);
insert into store (manager_staff_id) values (1);
insert into customer (store_id, first_name) values (1, 'MARY'), (1, 'PATRICIA');
