-- How often contact with a host was lost lately: damping goes on where it was when the program starts again.

ALTER TABLE host_status ADD COLUMN flap TEXT;
