import type { DatabaseSync } from 'node:sqlite'

/**
 * Creates the tables. The tenant stands in front of each unique key and index, so that a value of
 * one tenant is never taken by another. The foreign keys hold the tenant too: a second wall. The
 * database finds an id of another tenant no faster than none: it looks for both in the same key.
 */
export function createTables(file: DatabaseSync): void {
  file.exec(`
    pragma foreign_keys = on;
    create table if not exists tenants (id text primary key, title text not null);
    create table if not exists templates (id text primary key, title text not null);

    create table if not exists users (
      id text primary key,
      tenant_id text not null references tenants (id),
      name text not null,
      email text not null,
      unique (tenant_id, id),
      unique (tenant_id, email)
    );
    create index if not exists users_by_name on users (tenant_id, name, id);

    create table if not exists projects (
      id text primary key,
      tenant_id text not null references tenants (id),
      name text not null,
      owner_id text not null,
      lead_id text,
      template_id text references templates (id),
      revision integer not null,
      unique (tenant_id, id),
      unique (tenant_id, name),
      foreign key (tenant_id, owner_id) references users (tenant_id, id),
      foreign key (tenant_id, lead_id) references users (tenant_id, id)
    );
    create index if not exists projects_by_owner on projects (tenant_id, owner_id, id);
    create index if not exists projects_by_lead on projects (tenant_id, lead_id, id);

    create table if not exists tasks (
      id text primary key,
      project_id text not null references projects (id),
      title text not null,
      status text not null,
      assignee_id text references users (id),
      unique (project_id, id)
    );
    create index if not exists tasks_by_title on tasks (project_id, title, id);
    create index if not exists tasks_by_assignee on tasks (assignee_id, project_id, id);
  `)
}
