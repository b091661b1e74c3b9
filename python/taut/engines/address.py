"""Where workers find the driver, whose tracker brings XGBoost's workers together."""
import socket


def own_address(host=None):
    """`host` as an address or, without one, the address that other machines see. No packet is sent: a socket that is connected by UDP only looks up
    its route."""
    if host:
        return socket.gethostbyname(host)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is reserved for documentation
            return probe.getsockname()[0]
        except OSError:
            return socket.gethostbyname(socket.gethostname())
