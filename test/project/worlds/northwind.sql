create table categories (category_id smallint not null primary key,
  category_name character varying(15) not null, description text, picture {bytes});
create table customer_demographics (customer_type_id character varying(5) not null primary key,
  customer_desc text);
create table customers (customer_id character varying(5) not null primary key,
  company_name character varying(40) not null, contact_name character varying(30),
  city character varying(15), region character varying(15), country character varying(15),
  phone character varying(24));
create table customer_customer_demo (customer_id character varying(5) not null,
  customer_type_id character varying(5) not null, primary key (customer_id, customer_type_id),
  foreign key (customer_type_id) references customer_demographics (customer_type_id),
  foreign key (customer_id) references customers (customer_id));
create table employees (employee_id smallint not null primary key,
  last_name character varying(20) not null, first_name character varying(10) not null,
  title_of_courtesy character varying(25), birth_date date, hire_date date, photo {bytes},
  notes text, reports_to smallint, photo_path character varying(255),
  foreign key (reports_to) references employees (employee_id));
create table suppliers (supplier_id smallint not null primary key,
  company_name character varying(40) not null, homepage text);
create table products (product_id smallint not null primary key,
  product_name character varying(40) not null, supplier_id smallint, category_id smallint,
  quantity_per_unit character varying(20), unit_price real, units_in_stock smallint,
  discontinued integer not null,
  foreign key (category_id) references categories (category_id),
  foreign key (supplier_id) references suppliers (supplier_id));
create table region (region_id smallint not null primary key,
  region_description character varying(60) not null);
create table shippers (shipper_id smallint not null primary key,
  company_name character varying(40) not null, phone character varying(24));
create table orders (order_id smallint not null primary key, customer_id character varying(5),
  employee_id smallint, order_date date, shipped_date date, ship_via smallint, freight real,
  ship_name character varying(40),
  foreign key (customer_id) references customers (customer_id),
  foreign key (employee_id) references employees (employee_id),
  foreign key (ship_via) references shippers (shipper_id));
create index orders_by_date on orders (order_date);
create table territories (territory_id character varying(20) not null primary key,
  territory_description character varying(60) not null, region_id smallint not null,
  foreign key (region_id) references region (region_id));
create table employee_territories (employee_id smallint not null,
  territory_id character varying(20) not null, primary key (employee_id, territory_id),
  foreign key (territory_id) references territories (territory_id),
  foreign key (employee_id) references employees (employee_id));
create table order_details (order_id smallint not null, product_id smallint not null,
  unit_price real not null, quantity smallint not null, discount real not null,
  primary key (order_id, product_id),
  foreign key (product_id) references products (product_id),
  foreign key (order_id) references orders (order_id));
create table us_states (state_id smallint not null primary key, state_name character varying(100),
  state_abbr character varying(2));
insert into categories values (1, 'Beverages', 'Soft drinks, coffees, teas', null),
  (2, 'Condiments', null, null);
insert into customers (customer_id, company_name) values ('ALFKI', 'Alfreds Futterkiste'),
  ('ANATR', 'Ana Trujillo Emparedados');
insert into employees (employee_id, last_name, first_name, birth_date, reports_to) values
  (1, 'Fuller', 'Andrew', '1952-02-19', null), (2, 'Davolio', 'Nancy', '1948-12-08', 1);
insert into suppliers values (1, 'Exotic Liquids', null), (2, 'Tokyo Traders', null);
insert into products values (1, 'Chai', 1, 1, '10 boxes x 30 bags', 18, 39, 1),
  (2, 'Chang', 1, 1, '24 - 12 oz bottles', 19, 17, 1);
insert into region values (1, 'Eastern'), (2, 'Western');
insert into shippers values (1, 'Speedy Express', '(503) 555-9831'), (2, 'United Package', null);
insert into orders (order_id, customer_id, employee_id, order_date, ship_via) values
  (10248, 'ALFKI', 1, '1996-07-04', 1), (10249, 'ANATR', 2, '1996-07-05', 2);
insert into territories values ('01581', 'Westboro', 1), ('01730', 'Bedford', 1);
insert into us_states values (1, 'Alabama', 'AL'), (2, 'Alaska', 'AK');
