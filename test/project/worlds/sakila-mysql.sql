create table actor (actor_id smallint unsigned not null auto_increment primary key,
  first_name varchar(45) not null, last_name varchar(45) not null,
  last_update timestamp not null default current_timestamp on update current_timestamp,
  key idx_actor_last_name (last_name));
create table country (country_id smallint unsigned not null auto_increment primary key,
  country varchar(50) not null,
  last_update timestamp not null default current_timestamp on update current_timestamp);
create table city (city_id smallint unsigned not null auto_increment primary key,
  city varchar(50) not null, country_id smallint unsigned not null,
  last_update timestamp not null default current_timestamp on update current_timestamp,
  constraint fk_city_country foreign key (country_id) references country (country_id));
create table address (address_id smallint unsigned not null auto_increment primary key,
  address varchar(50) not null, district varchar(20) not null, city_id smallint unsigned not null,
  postal_code varchar(10), location geometry not null,
  constraint fk_address_city foreign key (city_id) references city (city_id));
create table language (language_id tinyint unsigned not null auto_increment primary key,
  name char(20) not null);
create table category (category_id tinyint unsigned not null auto_increment primary key,
  name varchar(25) not null);
create table film (film_id smallint unsigned not null auto_increment primary key,
  title varchar(128) not null, description text, release_year year,
  language_id tinyint unsigned not null, original_language_id tinyint unsigned,
  rental_duration tinyint unsigned not null default 3,
  rental_rate decimal(4,2) not null default 4.99, length smallint unsigned,
  replacement_cost decimal(5,2) not null default 19.99,
  rating enum('G','PG','PG-13','R','NC-17') default 'G',
  special_features set('Trailers','Commentaries','Deleted Scenes','Behind the Scenes'),
  last_update timestamp not null default current_timestamp on update current_timestamp,
  key idx_title (title),
  constraint fk_film_language foreign key (language_id) references language (language_id),
  constraint fk_film_original foreign key (original_language_id) references language (language_id));
create table film_actor (actor_id smallint unsigned not null, film_id smallint unsigned not null,
  primary key (actor_id, film_id),
  constraint fk_film_actor_actor foreign key (actor_id) references actor (actor_id),
  constraint fk_film_actor_film foreign key (film_id) references film (film_id));
create table film_category (film_id smallint unsigned not null,
  category_id tinyint unsigned not null, primary key (film_id, category_id),
  constraint fk_film_category_film foreign key (film_id) references film (film_id));
create table film_text (film_id smallint not null primary key, title varchar(255) not null,
  description text, fulltext key idx_title_description (title, description));
create table staff (staff_id tinyint unsigned not null auto_increment primary key,
  first_name varchar(45) not null, last_name varchar(45) not null,
  address_id smallint unsigned, picture blob, email varchar(50),
  store_id tinyint unsigned, active boolean not null default true, username varchar(16) not null,
  password varchar(40) character set utf8mb4 collate utf8mb4_bin,
  constraint fk_staff_address foreign key (address_id) references address (address_id));
create table store (store_id tinyint unsigned not null auto_increment primary key,
  manager_staff_id tinyint unsigned not null unique,
  constraint fk_store_staff foreign key (manager_staff_id) references staff (staff_id));
alter table staff add constraint fk_staff_store foreign key (store_id) references store (store_id);
create table customer (customer_id smallint unsigned not null auto_increment primary key,
  store_id tinyint unsigned not null, first_name varchar(45) not null, email varchar(50),
  active boolean not null default true, create_date datetime not null,
  constraint fk_customer_store foreign key (store_id) references store (store_id));
create table inventory (inventory_id mediumint unsigned not null auto_increment primary key,
  film_id smallint unsigned not null, store_id tinyint unsigned not null,
  constraint fk_inventory_film foreign key (film_id) references film (film_id),
  constraint fk_inventory_store foreign key (store_id) references store (store_id));
create table rental (rental_id int not null auto_increment primary key,
  rental_date datetime not null, inventory_id mediumint unsigned not null,
  customer_id smallint unsigned not null, return_date datetime,
  unique key (rental_date, inventory_id, customer_id),
  constraint fk_rental_customer foreign key (customer_id) references customer (customer_id),
  constraint fk_rental_inventory foreign key (inventory_id) references inventory (inventory_id));
create table payment (payment_id smallint unsigned not null auto_increment primary key,
  customer_id smallint unsigned not null, rental_id int, amount decimal(5,2) not null,
  payment_date datetime not null,
  constraint fk_payment_rental foreign key (rental_id) references rental (rental_id),
  constraint fk_payment_customer foreign key (customer_id) references customer (customer_id));
create view customer_list as select customer_id as ID, first_name as name, active from customer;
create view nicer_but_slower_film_list as select film_id as FID, title from film;
insert into actor (first_name, last_name) values ('PENELOPE', 'GUINESS'), ('NICK', 'WAHLBERG');
insert into country (country) values ('Afghanistan'), ('Algeria');
insert into city (city, country_id) values ('Kabul', 1), ('Batna', 2);
insert into language (name) values ('English'), ('Italian');
insert into category (name) values ('Action'), ('Animation');
insert into film (title, release_year, language_id, special_features) values
  ('ACADEMY DINOSAUR', 2006, 1, 'Trailers,Deleted Scenes'), ('ACE GOLDFINGER', 2006, 1, 'Trailers');
insert into staff (first_name, last_name, username) values ('Mike', 'Hillyer', 'Mike');
insert into store (manager_staff_id) values (1);
insert into customer (store_id, first_name, create_date) values (1, 'MARY', '2006-02-14 22:04:36'),
  (1, 'PATRICIA', '2006-02-14 22:04:37');
