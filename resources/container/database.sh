# Starts PostgreSQL. The first start creates an empty server; the secrets are a password and a certificate with its key.
set -eu
data=/var/lib/postgresql/vouch
programs=$(echo /usr/lib/postgresql/*/bin)
if [ ! -s "$data/PG_VERSION" ]; then
  "$programs/initdb" -D "$data" -U vouch --pwfile=/run/secrets/database.password --auth=scram-sha-256 \
    --locale=C.UTF-8 --encoding=UTF8 --data-checksums
  echo 'hostssl all all all scram-sha-256' >> "$data/pg_hba.conf"
fi
# PostgreSQL accepts a key that its own account alone can read.
install -m 600 /run/secrets/database.key /run/secrets/database.pem "$data/"
exec "$programs/postgres" -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp -c ssl=on \
  -c ssl_cert_file=database.pem -c ssl_key_file=database.key -c ssl_min_protocol_version=TLSv1.2
