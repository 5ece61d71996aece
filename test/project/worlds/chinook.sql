create table "Artist" ("ArtistId" integer not null, "Name" varchar(120),
  constraint "PK_Artist" primary key ("ArtistId"));
create table "Album" ("AlbumId" integer not null primary key, "Title" varchar(160) not null,
  "ArtistId" integer not null,
  constraint "FK_AlbumArtist" foreign key ("ArtistId") references "Artist" ("ArtistId"));
create index "IFK_AlbumArtistId" on "Album" ("ArtistId");
create table "Employee" ("EmployeeId" integer not null primary key,
  "LastName" varchar(20) not null, "FirstName" varchar(20) not null, "Title" varchar(30),
  "ReportsTo" integer, "BirthDate" {timestamp}, "HireDate" {timestamp}, "Address" varchar(70),
  "City" varchar(40), "State" varchar(40), "Country" varchar(40), "PostalCode" varchar(10),
  "Phone" varchar(24), "Fax" varchar(24), "Email" varchar(60),
  foreign key ("ReportsTo") references "Employee" ("EmployeeId"));
create index "IFK_EmployeeReportsTo" on "Employee" ("ReportsTo");
create table "Customer" ("CustomerId" integer not null primary key,
  "FirstName" varchar(40) not null, "LastName" varchar(20) not null, "Company" varchar(80),
  "Address" varchar(70), "City" varchar(40), "State" varchar(40), "Country" varchar(40),
  "PostalCode" varchar(10), "Phone" varchar(24), "Fax" varchar(24), "Email" varchar(60) not null,
  "SupportRepId" integer, foreign key ("SupportRepId") references "Employee" ("EmployeeId"));
create index "IFK_CustomerSupportRepId" on "Customer" ("SupportRepId");
create table "Genre" ("GenreId" integer not null primary key, "Name" varchar(120));
create table "Invoice" ("InvoiceId" integer not null primary key, "CustomerId" integer not null,
  "InvoiceDate" {timestamp} not null, "BillingAddress" varchar(70), "BillingCity" varchar(40),
  "BillingState" varchar(40), "BillingCountry" varchar(40), "BillingPostalCode" varchar(10),
  "Total" numeric(10,2) not null,
  foreign key ("CustomerId") references "Customer" ("CustomerId"));
create index "IFK_InvoiceCustomerId" on "Invoice" ("CustomerId");
create table "MediaType" ("MediaTypeId" integer not null primary key, "Name" varchar(120));
create table "Track" ("TrackId" integer not null primary key, "Name" varchar(200) not null,
  "AlbumId" integer, "MediaTypeId" integer not null, "GenreId" integer, "Composer" varchar(220),
  "Milliseconds" integer not null, "Bytes" integer, "UnitPrice" numeric(10,2) not null,
  foreign key ("AlbumId") references "Album" ("AlbumId"),
  foreign key ("GenreId") references "Genre" ("GenreId"),
  foreign key ("MediaTypeId") references "MediaType" ("MediaTypeId"));
create index "IFK_TrackAlbumId" on "Track" ("AlbumId");
create index "IFK_TrackGenreId" on "Track" ("GenreId");
create index "IFK_TrackMediaTypeId" on "Track" ("MediaTypeId");
create table "InvoiceLine" ("InvoiceLineId" integer not null primary key,
  "InvoiceId" integer not null, "TrackId" integer not null, "UnitPrice" numeric(10,2) not null,
  "Quantity" integer not null,
  foreign key ("InvoiceId") references "Invoice" ("InvoiceId"),
  foreign key ("TrackId") references "Track" ("TrackId"));
create index "IFK_InvoiceLineInvoiceId" on "InvoiceLine" ("InvoiceId");
create index "IFK_InvoiceLineTrackId" on "InvoiceLine" ("TrackId");
create table "Playlist" ("PlaylistId" integer not null primary key, "Name" varchar(120));
create table "PlaylistTrack" ("PlaylistId" integer not null, "TrackId" integer not null,
  primary key ("PlaylistId", "TrackId"),
  foreign key ("PlaylistId") references "Playlist" ("PlaylistId"),
  foreign key ("TrackId") references "Track" ("TrackId"));
insert into "Artist" values (1, 'AC/DC'), (2, 'Accept'), (3, null);
insert into "Album" values (1, 'For Those About To Rock', 1), (2, 'Balls to the Wall', 2);
insert into "Employee" ("EmployeeId", "LastName", "FirstName", "ReportsTo", "BirthDate") values
  (1, 'Adams', 'Andrew', null, '1962-02-18 00:00:00'),
  (2, 'Edwards', 'Nancy', 1, '1958-12-08 00:00:00');
insert into "Customer" ("CustomerId", "FirstName", "LastName", "Email", "SupportRepId") values
  (1, 'Luís', 'Gonçalves', 'luisg@embraer.com.br', 2), (2, 'Leonie', 'Köhler', 'lk@surfeu.de', 2);
insert into "Genre" values (1, 'Rock'), (2, 'Jazz');
insert into "Invoice" ("InvoiceId", "CustomerId", "InvoiceDate", "Total") values
  (1, 2, '2021-01-01 00:00:00', 1.98), (2, 1, '2021-01-02 00:00:00', 3.96);
insert into "MediaType" values (1, 'MPEG audio file'), (2, 'Protected AAC audio file');
insert into "Track" values (1, 'For Those About To Rock', 1, 1, 1, 'Young', 343719, 11170334, 0.99),
  (2, 'Balls to the Wall', 2, 2, 1, null, 342562, null, 0.99);
insert into "InvoiceLine" values (1, 1, 2, 0.99, 1), (2, 1, 1, 0.99, 1);
insert into "Playlist" values (1, 'Music'), (2, 'Movies');
insert into "PlaylistTrack" values (1, 1), (1, 2);
