-- Spreads Hansang's tables over the servers of a Citus cluster: to be run once, by psql at the coordinator, when a server of Hansang has made
-- the tables and before there are rooms. What goes with a room is where the room is; everything else is looked up by a key of its own.

BEGIN;

-- Rooms, and what a room has. Whom a table refers to comes before it.
SELECT create_distributed_table('room', 'id', colocate_with => 'none');
SELECT create_distributed_table('member', 'room', colocate_with => 'room');
SELECT create_distributed_table('removed', 'room', colocate_with => 'room');
SELECT create_distributed_table('submission', 'room', colocate_with => 'room');
SELECT create_distributed_table('result', 'room', colocate_with => 'room');
SELECT create_distributed_table('room_receipt', 'room', colocate_with => 'room');
SELECT create_distributed_table('push_notice', 'room_id', colocate_with => 'room');
SELECT create_distributed_table('push_message', 'room_id', colocate_with => 'room');

SELECT create_distributed_table('pin_claim', 'pin', colocate_with => 'none');

-- What is looked up by somebody's token.
SELECT create_distributed_table('receipt', 'owner', colocate_with => 'none');
SELECT create_distributed_table('opening', 'owner', colocate_with => 'receipt');

-- Few, seldom changed, or read beside every room: each server has all of them.
SELECT create_reference_table('device');
SELECT create_reference_table('catalogue');
SELECT create_reference_table('token_key');
SELECT create_reference_table('trial');
SELECT create_reference_table('migration');

COMMIT;
